import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContainerEngine, type Environment, openContainerEngine } from './container-engine.ts';
import { buildProgramImage } from './program-image.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const base = 'docker.io/library/node:24-slim';
const certificates = '/etc/ssl/certs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
/** The one that docker-compose.yml names. */
export const paddockImage = `localhost/paddock:${version}`;
export const container = ['run', '--rm', '--pull', 'never', '--network', 'host'];
/** Like the containers of docker-compose.yml. */
export const confined = [
	...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
	...['--read-only', '--tmpfs', '/tmp'],
];
const buildMsMax = 390_000;
export const build = { BUILD_COMMIT: 'c0ffee0', BUILD_TIME: '2026-02-28T12:00:00Z' };

/**
 * An engine with the image that the Dockerfile describes.
 * @param programs those that the suite needs
 * @returns the reason as a text if this machine can't run containers or has no packages for the image
 * @throws if the image can't be built for another reason
 */
export async function openEngineWithImage(
	env: Environment,
	programs: readonly string[] = ['buildah', 'podman', 'runc'],
): Promise<ContainerEngine | string> {
	const engine = await openEngineWithBase(env, programs);
	if (typeof engine === 'string') return engine;
	try {
		await buildPaddockImage(engine, env);
		return engine;
	} catch (error) {
		// An error here would hide the reason.
		await engine.close().catch(() => {});
		const lack = lackOf(error as Parameters<typeof lackOf>[0]);
		if (lack === undefined) throw error;
		return `the image can't be built here: ${lack}`;
	}
}

/** An engine with a stand-in for node:24-slim: the same programs, from this machine. */
async function openEngineWithBase(
	env: Environment,
	programs: readonly string[],
): Promise<ContainerEngine | string> {
	const { npm_execpath: npm } = env;
	if (npm === undefined) return "containers can't run here: not started by npm";
	let engine: ContainerEngine | undefined;
	try {
		engine = await openContainerEngine(env);
		await engine.run('which', programs);
		await buildProgramImage(engine, {
			tag: base,
			programs: ['sh', 'find', 'env'],
			files: {
				'usr/local/bin/node': process.execPath,
				'usr/local/lib/node_modules/npm': dirname(dirname(realpathSync(npm))),
			},
			texts: {
				'etc/passwd': 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
				'etc/group': 'root:x:0:\nnode:x:1000:\n',
				'usr/local/bin/npm': '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
			},
			instructions: ['CMD ["node"]'],
		});
		await engine.run('podman', [...container, ...confined, base, 'node', '--version']);
		return engine;
	} catch (error) {
		// A machine that can't run containers may fail to remove them, too.
		await engine?.close().catch(() => {});
		const { message } = error as Error;
		return `containers can't run here: ${message.trim().split('\n').slice(-1).join()}`;
	}
}

/** @returns what the machine lacks: packages, space or speed; undefined if the Dockerfile is the cause */
function lackOf({ killed, stderr = '' }: { killed?: boolean; stderr?: string }): string | undefined {
	if (killed === true) return `the image takes more than ${buildMsMax} ms`;
	return /npm error (?:network|code (?:E(?:AI_AGAIN|NOTFOUND|CONN|TIMEDOUT|HOSTUNREACH|NETUNREACH|40[137]|5\d\d)|ERR_SOCKET|\w*CERT)).*|.*(?:ENOSPC|no space left on device).*/i.exec(
		stderr,
	)?.[0];
}

/** Builds the Dockerfile. npm gets the packages that this machine has cached, its registry and its certificates. */
async function buildPaddockImage(
	engine: ContainerEngine,
	{ npm_config_registry: registry }: Environment,
): Promise<void> {
	const npmrc = join(engine.directory, 'npmrc');
	const bundle = `${certificates}/ca-certificates.crt`;
	// A registry that drops packets must not use up the time limit of the build.
	const lines = [
		'prefer-offline=true',
		'fetch-timeout=60000',
		'fetch-retries=1',
		'fetch-retry-mintimeout=1000',
	];
	if (existsSync(bundle)) lines.push(`cafile=${bundle}`);
	if (registry !== undefined) lines.push(`registry=${registry}`);
	await writeFile(npmrc, `${lines.join('\n')}\n`);
	const cache = join(engine.env.HOME, '.npm');
	const mounts = [`${npmrc}:/root/.npmrc:ro`];
	if (existsSync(cache)) mounts.push(`${cache}:/root/.npm`);
	if (existsSync(bundle)) mounts.push(`${certificates}:${certificates}:ro`);
	const options = [
		...mounts.flatMap((mount) => ['--volume', mount]),
		...Object.entries(build).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
	];
	const words = ['bud', '--pull-never', '--layers=false', ...options, '--tag', paddockImage, root];
	await engine.run('buildah', words, { timeoutMs: buildMsMax });
}

/** Bytes that the Dockerfile adds to its base. */
export async function ownBytes(engine: ContainerEngine): Promise<number> {
	const [whole, below] = await Promise.all([paddockImage, base].map((image) => bytesOf(engine, image)));
	return Number(whole) - Number(below);
}

async function bytesOf(engine: ContainerEngine, image: string): Promise<number> {
	return Number(await engine.run('podman', ['image', 'inspect', '--format', '{{.Size}}', image]));
}
