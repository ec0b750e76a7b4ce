import { get as getPlain } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { tlsOptions } from './tls-options.ts';

/** `node scripts/health-check.ts URL`. A refused certificate is no failure: the process may still use the former one. */
const [, , url = ''] = process.argv;
const request = url.startsWith('https:') ? get(url, usableTls()) : getPlain(url);
let refusedStatus = 1;
request.once('socket', (socket) => {
	socket.once('secureConnect', () => {
		refusedStatus = 0;
	});
});
request.once('response', ({ statusCode = 0 }) => {
	const ok = statusCode >= 200 && statusCode < 300;
	if (!ok) console.error(`status ${statusCode}`);
	process.exit(ok ? 0 : 1);
});
request.once('error', (error) => {
	console.error(error.message);
	process.exit(refusedStatus);
});

function usableTls(): RequestOptions {
	// The address identifies the process, whose certificate may be of an authority that is no longer in the files.
	const unverified = { rejectUnauthorized: false };
	try {
		const tls = tlsOptions(process.env);
		createSecureContext(tls);
		return { ...tls, ...unverified };
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		return unverified;
	}
}
