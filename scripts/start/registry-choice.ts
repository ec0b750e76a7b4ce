import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { StartConfig } from './config.ts';
import { StartError } from './start-error.ts';

/** The registry, with the reason to print. */
type RegistryChoice = { reason: string } & (
	| { kind: 'external'; address: string }
	| { kind: 'agent'; program: string }
	| { kind: 'static' }
);

/** DISCOVERY, else CONSUL_HTTP_ADDR, a `consul` on the PATH, or the static list. @throws StartError without a required Consul */
export function chooseRegistry(
	config: Pick<StartConfig, 'discovery' | 'consulAddress'>,
	consulProgram: string | undefined,
): RegistryChoice {
	if (config.discovery === 'static') return { kind: 'static', reason: 'DISCOVERY=static' };
	if (config.consulAddress !== undefined) {
		return { kind: 'external', address: config.consulAddress, reason: 'CONSUL_HTTP_ADDR is set' };
	}
	if (consulProgram !== undefined) {
		return {
			kind: 'agent',
			program: consulProgram,
			reason: `started here, as ${consulProgram} is installed`,
		};
	}
	if (config.discovery === 'consul') {
		throw new StartError('DISCOVERY=consul needs a consul on the PATH, or CONSUL_HTTP_ADDR');
	}
	return { kind: 'static', reason: 'no consul on the PATH and no CONSUL_HTTP_ADDR' };
}

/** The first `consul` on the PATH, or undefined. */
export function findConsul(path: string): string | undefined {
	for (const folder of path.split(delimiter)) {
		if (folder === '') continue;
		const program = join(folder, 'consul');
		try {
			accessSync(program, constants.X_OK);
			if (statSync(program).isFile()) return program;
		} catch {
			// Not in this folder.
		}
	}
	return undefined;
}
