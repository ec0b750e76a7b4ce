import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { describeUnless, describeWithPrograms } from '@paddock/testing';
import { describeLong } from '../endurance/describe-long.ts';
import { installedPrograms } from '../start/installed-postgres.ts';

const programs = ['ip', 'python3', 'setpriv', 'consul', 'haproxy', 'redis-server', 'pgbouncer', 'openssl'];

/** A long suite on three hosts: needs root for network namespaces, and the programs that run on them. */
export function describeHosts(
	env: Readonly<Record<string, string | undefined>>,
	name: string,
	suite: () => void,
): void {
	describeLong(env, name, () => {
		if (!canCreateNetworks()) describeUnless('needs root and /dev/net/tun', 'on three hosts', suite);
		else describeWithPrograms([...programs, join(installedPrograms, 'postgres')], 'on three hosts', suite);
	});
}

function canCreateNetworks(): boolean {
	try {
		accessSync('/dev/net/tun', constants.W_OK);
		return process.getuid?.() === 0;
	} catch {
		return false;
	}
}
