import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';

/** Options of an https request to a process on this machine, with the certificate in the settings TLS_*. */
export function tlsOptions({ TLS_CERT, TLS_KEY, TLS_CA }: NodeJS.ProcessEnv): RequestOptions {
	if (!TLS_CERT || !TLS_KEY || !TLS_CA) return {};
	return {
		cert: readFileSync(TLS_CERT),
		key: readFileSync(TLS_KEY),
		ca: readFileSync(TLS_CA),
		// The address identifies the process; its name is not known here.
		checkServerIdentity: () => undefined,
	};
}
