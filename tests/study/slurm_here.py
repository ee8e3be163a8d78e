# SPDX-License-Identifier: MIT
"""A Slurm of its own on this machine: four virtual nodes on loopback, no accounting. Needs root, slurm-wlm and munge.

    with SlurmHere(folder) as environment:
        subprocess.run(["sbatch", …], env=environment)
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

NODES = 4
CONF = """ClusterName=reprise
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={munge}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort=36817
SlurmdPort=36818
SrunPortRange=36900-36950
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,default_queue_depth=2000,bf_interval=1,defer_batch
MpiDefault=none
ReturnToService=2
MinJobAge=30
KillWait=5
SlurmdParameters=config_overrides
DefMemPerCPU=100
NodeName=n[1-4] NodeHostname={host} NodeAddr=127.0.0.1 Port=[36821-36824] CPUs=4 RealMemory=5000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """What there is not of what this needs, as a sentence; empty where there is all."""
    if os.geteuid() != 0:
        return "this is not root, who alone can start Slurm's daemons"
    for program in ("slurmctld", "slurmd", "sbatch", "squeue", "scancel", "munged", "runuser"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            return f"there is no {program} (Debian: slurm-wlm, munge)"
    return ""


class SlurmHere:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.daemons = []

    def start(self, *command):
        log = open(self.folder / "log" / (pathlib.Path(command[0]).name + f"-{len(self.daemons)}.out"), "wb")
        self.daemons.append(
            subprocess.Popen(command, stdout=log, stderr=log, env=self.environment, start_new_session=True)
        )

    def __enter__(self):
        for name in [f"spool/n{n + 1}" for n in range(NODES)] + ["state", "log", "run"]:
            (self.folder / name).mkdir(parents=True)
        munge = f"/run/munge/reprise-{os.getpid()}.socket"
        subprocess.run(["install", "-d", "-o", "munge", "-g", "munge", "-m", "0755", "/run/munge"], check=True)
        conf = self.folder / "slurm.conf"
        conf.write_text(CONF.format(host=socket.gethostname().split(".")[0], folder=self.folder, munge=munge))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        self.environment |= {"SLURM_CONF": str(conf), "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.start(
            "runuser",
            "-u",
            "munge",
            "--",
            "munged",
            "--foreground",
            f"--socket={munge}",
            f"--pid-file=/run/munge/reprise-{os.getpid()}.pid",
            f"--log-file=/var/log/munge/reprise-{os.getpid()}.log",
        )
        self.until(lambda: os.path.exists(munge), "munged")
        self.start("slurmctld", "-D", "-c")
        for node in range(NODES):
            self.start("slurmd", "-D", "-N", f"n{node + 1}")
        self.until(lambda: self.output("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == str(NODES), "Slurm's nodes")
        return self.environment

    def output(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, encoding="utf-8").stdout

    @staticmethod
    def until(holds, what):
        for _ in range(300):
            if holds():
                return
            time.sleep(0.1)
        raise RuntimeError(f"{what} did not come up within 30 s")

    def __exit__(self, *error):
        for daemon in reversed(self.daemons):  # each by its number
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
                try:
                    daemon.wait(10)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()
        for path in (f"/run/munge/reprise-{os.getpid()}.socket.lock", f"/var/log/munge/reprise-{os.getpid()}.log"):
            pathlib.Path(path).unlink(missing_ok=True)
