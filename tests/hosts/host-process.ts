import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@paddock/testing';
import { type HostName, namespaceOf } from './network.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const rootsPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Logs of the last run. */
export const logDirectory = '/tmp/paddock-hosts-logs';

interface HostProcessOptions {
	/** The host that it runs on, or the machine itself. */
	readonly host: HostName | undefined;
	readonly name: string;
	readonly command: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly account?: { readonly uid: number; readonly gid: number };
	readonly ready: () => boolean | Promise<boolean>;
}

/** Starts a process in the network namespace of a host; its output goes to its log. */
export function startHostProcess({
	host,
	name,
	account,
	ready,
	...options
}: HostProcessOptions): Promise<Program> {
	mkdirSync(logDirectory, { recursive: true });
	const logged = ['sh', '-c', 'exec "$@" >> "$0" 2>&1', `${logDirectory}/${name}.log`] as const;
	const inside = host === undefined ? [] : ['ip', 'netns', 'exec', namespaceOf(host)];
	const as =
		account === undefined
			? []
			: ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
	return startProgram({
		command: [...logged, ...inside, ...as, ...options.command],
		cwd: root,
		env: { PATH: rootsPath, ...options.env },
		ready,
		readyMsMax: 180_000,
	});
}
