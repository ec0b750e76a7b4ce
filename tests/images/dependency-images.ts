import { installedPrograms } from '../start/installed-postgres.ts';
import { standIns } from './composed-system.ts';
import type { ContainerEngine } from './container-engine.ts';
import { buildProgramImage } from './program-image.ts';

// Like the entry point of the official image: a new cluster gets the scripts of /docker-entrypoint-initdb.d.
const startPostgres = `#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$PGDATA" /var/run/postgresql
	chown -R postgres "$PGDATA" /var/run/postgresql
	exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	printf %s "$POSTGRES_PASSWORD" > /tmp/password
	initdb --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 --auth-local=trust --locale=C --encoding=SQL_ASCII
	echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
	pg_ctl --wait --options="-c listen_addresses=''" start
	for script in /docker-entrypoint-initdb.d/*.sh; do sh "$script"; done
	pg_ctl --wait stop
fi
exec postgres -c listen_addresses='*' -c jit=off
`;

/** Builds stand-ins for the images of PostgreSQL and Consul, under the names that the tests give them. */
export async function buildDependencyImages(engine: ContainerEngine): Promise<void> {
	const share = installedPrograms.replace('/lib/', '/share/').replace(/\/bin$/, '');
	const modules = installedPrograms.replace(/bin$/, 'lib');
	await buildProgramImage(engine, {
		tag: standIns.postgres,
		programs: [
			...['sh', 'env', 'sed', 'sort', 'tr', 'id', 'mkdir', 'chown', 'setpriv'],
			...['initdb', 'pg_ctl', 'postgres', 'psql', 'pg_isready'].map((name) => `${installedPrograms}/${name}`),
		],
		files: Object.fromEntries([share, modules, '/usr/share/zoneinfo'].map((folder) => [folder, folder])),
		texts: {
			'etc/passwd': 'root:x:0:0::/root:/bin/sh\npostgres:x:999:999::/var/lib/postgresql:/bin/sh\n',
			'etc/group': 'root:x:0:\npostgres:x:999:\n',
			'usr/local/bin/start-postgres': startPostgres,
		},
		instructions: [
			`ENV PATH=${installedPrograms}:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/18/docker`,
			'ENTRYPOINT ["start-postgres"]',
		],
	});
	await buildProgramImage(engine, {
		tag: standIns.consul,
		programs: ['sh', 'grep', 'consul'],
		instructions: ['ENTRYPOINT ["sh", "-c", "exec consul \\"$@\\" -data-dir=/consul/data", "sh"]'],
	});
}
