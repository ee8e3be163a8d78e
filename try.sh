export OMPI_MCA_rmaps_base_oversubscribe=1 PATH=/work/main/build/bin:$PATH
cd /tmp/mt; 
echo "== record into unwritable"; reprise record -o /tmp/m/ro/x.reprise -- mpirun -n 2 heat2d 20 32; echo "exit $?"
echo "== record into missing folder"; reprise record -o /tmp/mt/none/x.reprise -- mpirun -n 2 heat2d 20 32; echo "exit $?"
reprise record -o h.reprise -- mpirun -n 2 heat2d 20 32 2>&1 | tail -3
echo "== mpirun reprise record"; mpirun -n 2 reprise record -o h2.reprise -- heat2d 20 32; echo "exit $?"; ls -la h2*
echo "== svg x.png"; reprise study run --help | grep -i svg
echo "== trace as study"; reprise study run h.reprise; echo "exit $?"
echo "== study as trace"; reprise replay study.json; echo "exit $?"
echo "== study as platform"; reprise replay h.reprise -p study.json; echo "exit $?"
echo "== trace as platform"; reprise replay h.reprise -p h.reprise; echo "exit $?"
echo "== trailing comma"; reprise replay h.reprise -p comma.json; echo "exit $?"
echo "== html to /dev/full"; reprise replay h.reprise -p laptop --html /dev/full | head -2; echo "exit ${PIPESTATUS[0]}"
echo "== html unwritable"; reprise replay h.reprise -p laptop --html /tmp/m/ro/x.html | head -2;  echo "exit ${PIPESTATUS[0]}"
