"""What is raised when the database does not answer."""

from django.db import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout

DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout)  # the statement may have been done or not
