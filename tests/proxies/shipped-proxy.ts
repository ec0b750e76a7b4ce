import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@paddock/database/embedded';

export type ProxyName = 'haproxy' | 'nginx';

const shippedFiles = {
	haproxy: new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url),
	nginx: new URL('../../deploy/nginx/paddock.conf', import.meta.url),
};

export interface ShippedProxyOptions {
	/** Address that the proxy listens on. */
	readonly host: string;
	/** Ports in place of 80 and 443. */
	readonly httpPort: number;
	readonly httpsPort: number;
	/** Addresses of the two gateways, `host:port`. */
	readonly gateways: readonly [string, string];
}

export interface ShippedProxy {
	/** The program and its arguments; it stays in the foreground. */
	readonly command: readonly [string, ...string[]];
	/** Certificate of the proxy (PEM). */
	readonly certificate: string;
	/** @throws Error with the program's message if it does not accept the configuration */
	check(): Promise<unknown>;
	/** Removes the files. */
	remove(): Promise<void>;
}

export function shippedFile(name: ProxyName): Promise<string> {
	return readFile(shippedFiles[name], 'utf8');
}

/** Writes the configuration of deploy/ with other addresses and a certificate of its own. */
export async function shippedProxy(name: ProxyName, options: ShippedProxyOptions): Promise<ShippedProxy> {
	const directory = await mkdtemp(join(tmpdir(), `paddock-${name}-`));
	const file = join(directory, 'proxy.conf');
	const pem = join(directory, 'paddock.pem');
	await createCertificate(directory, pem);
	const adapted = adapt(await shippedFile(name), name, { ...options, pem });
	await writeFile(file, name === 'haproxy' ? adapted : mainContext(adapted, directory));
	const command =
		name === 'haproxy' ? (['haproxy', '-db', '-f', file] as const) : (['nginx', '-c', file] as const);
	const checking = name === 'haproxy' ? '-c' : '-t';
	return {
		command,
		certificate: await readFile(pem, 'utf8'),
		check: () => runProgram(command[0], [...command.slice(1), checking]),
		remove: () => rm(directory, { recursive: true }),
	};
}

function adapt(text: string, name: ProxyName, to: ShippedProxyOptions & { readonly pem: string }): string {
	const listen = name === 'haproxy' ? 'bind :' : 'listen ';
	const values: readonly (readonly [string, string])[] = [
		['10.0.0.11:8080', to.gateways[0]],
		['10.0.0.12:8080', to.gateways[1]],
		[`${listen}80`, `${listen.replace(':', '')}${to.host}:${to.httpPort}`],
		[`${listen}443`, `${listen.replace(':', '')}${to.host}:${to.httpsPort}`],
		[`/etc/${name}/paddock.pem`, to.pem],
		// The test's own account.
		...(name === 'haproxy' ? ([['\tuser haproxy\n\tgroup haproxy\n', '']] as const) : []),
	];
	for (const [shipped] of values)
		if (!text.includes(shipped)) throw new Error(`${name}: no ${shipped} in the file`);
	return values.reduce((result, [shipped, value]) => result.replaceAll(shipped, value), text);
}

/** The part of nginx's configuration that the system has, without privileges. */
function mainContext(included: string, directory: string): string {
	const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
	const account = process.getuid?.() === 0 ? 'user root;' : '';
	return `
${account}
daemon off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events {}
http {
access_log off;
${folders.map((folder) => `${folder}_temp_path ${directory}/${folder};`).join('\n')}
${included}
}`;
}

async function createCertificate(directory: string, pem: string): Promise<void> {
	const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
	await runProgram('openssl', [
		...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
		...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
		...['-keyout', key, '-out', certificate],
	]);
	await writeFile(pem, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')), {
		mode: 0o600,
	});
}
