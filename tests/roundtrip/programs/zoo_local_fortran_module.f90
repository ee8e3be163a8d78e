! SPDX-License-Identifier: MIT
! What zoo_local_fortran.c opens.
      function add_up(own) bind(c) result(total)
      use iso_c_binding
      implicit none
      include 'mpif.h'
      integer(c_int), value :: own
      integer(c_int) :: total
      integer :: term, ierr
      term = own
      call MPI_ALLREDUCE(term, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
      if (ierr .ne. MPI_SUCCESS) total = -1
      end function
