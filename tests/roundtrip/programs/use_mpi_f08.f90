! SPDX-License-Identifier: MIT
! The same through the mpi_f08 module: handles and statuses are derived types, and other symbols are called.
      program use_mpi_f08_program
      use mpi_f08
      implicit none
      integer :: rank, ranks, left, right, round, bad, total, got, number, place, ierr
      type(MPI_Comm) :: other
      type(MPI_Request) :: requests(2)
      type(MPI_Status) :: status, statuses(2)
      call MPI_INIT(ierr)
      include 'fortran_body.inc'
      if (rank .eq. 0 .and. total .eq. 0) print '(a)', 'use_mpi_f08: ok'
      if (rank .eq. 0 .and. total .ne. 0) print '(a,i0)', 'failed checks: ', total
      end program
