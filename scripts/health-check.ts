import { get as getPlain } from 'node:http';
import { get } from 'node:https';
import { ownTls } from './own-tls.ts';

/** `node scripts/health-check.ts URL`, the health check of a container: exits with 0 if the response is a 2xx. */
const [, , url = ''] = process.argv;
const request = url.startsWith('https:') ? get(url, ownTls(process.env)) : getPlain(url);
request.once('response', ({ statusCode = 0 }) => {
	const ok = statusCode >= 200 && statusCode < 300;
	if (!ok) console.error(`status ${statusCode}`);
	process.exit(ok ? 0 : 1);
});
request.once('error', (error) => {
	console.error(error.message);
	process.exit(1);
});
