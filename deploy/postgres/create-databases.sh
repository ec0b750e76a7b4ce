#!/bin/sh
# Runs once, when the server's data folder is empty: creates one database and one role for each context that has a
# password in <CONTEXT>_DB_PASSWORD. The databases have UTF-8, whatever the cluster's encoding is. No role can connect to
# the database of another context.
set -eu

create() { # context password
	psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --set role="paddock_$1" --set password="$2" <<-'SQL'
		CREATE ROLE :"role" LOGIN PASSWORD :'password';
		ALTER ROLE :"role" SET statement_timeout = '5s';
		ALTER ROLE :"role" SET jit = off;
		ALTER ROLE :"role" SET max_parallel_workers_per_gather = 0;
		ALTER ROLE :"role" SET synchronize_seqscans = off;
		ALTER ROLE :"role" SET client_connection_check_interval = '500ms';
		CREATE DATABASE :"role" OWNER :"role" ENCODING 'UTF8' TEMPLATE template0;
		REVOKE CONNECT ON DATABASE :"role" FROM PUBLIC;
	SQL
}

for variable in $(env | sed -n 's/^\([A-Z][A-Z0-9]*_DB_PASSWORD\)=.*/\1/p' | sort); do
	context=$(echo "${variable%_DB_PASSWORD}" | tr 'A-Z' 'a-z')
	eval "create $context \"\$$variable\""
done
