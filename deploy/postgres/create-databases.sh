#!/bin/sh
# Runs once, when the server's data folder is empty: one database and one role per context, and no role can connect
# to another context's database.
set -eu

create() { # context password
	psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --set role="paddock_$1" --set password="$2" <<-'SQL'
		CREATE ROLE :"role" LOGIN PASSWORD :'password';
		CREATE DATABASE :"role" OWNER :"role";
		REVOKE CONNECT ON DATABASE :"role" FROM PUBLIC;
	SQL
}

create auth "$AUTH_DB_PASSWORD"
create members "$MEMBERS_DB_PASSWORD"
create masterdata "$MASTERDATA_DB_PASSWORD"
create horses "$HORSES_DB_PASSWORD"
create events "$EVENTS_DB_PASSWORD"
