"""What is raised when the database does not answer."""

from django.db import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout

DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout)  # nobody knows whether what was asked for was done
