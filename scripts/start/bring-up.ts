import { gatewayMain, serviceMain, serviceName } from '../contexts/contexts.ts';
import {
	gatewayEnvironment,
	newServiceSecrets,
	type RegistryEnvironment,
	serviceEnvironment,
	serviceInstances,
} from './child-environment.ts';
import type { StartConfig } from './config.ts';
import { chooseConsulPorts, startConsulAgent } from './consul-agent.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { publishDatabases } from './database-urls.ts';
import { type KeptRunning, keepRunning } from './keep-running.ts';
import { keyEncryptionSetting } from './key-encryption-key.ts';
import { startNodeProcess } from './node-process.ts';
import { type OpenedDatabases, openDatabases } from './open-databases.ts';
import {
	checkPorts,
	type PlannedService,
	planPorts,
	planServices,
	reachableHost,
	serviceHost,
} from './port-plan.ts';
import { chooseRegistry, findConsul } from './registry-choice.ts';
import { waitForConsul } from './wait-for-consul.ts';
import { waitUntilUp } from './wait-until-ready.ts';

type Undo = () => Promise<void>;

export type BroughtUp = Awaited<ReturnType<typeof bringUp>>;

interface Start {
	config: StartConfig;
	data: DataDirectory;
	report: (line: string) => void;
	signal: AbortSignal;
	undo: Undo[];
	/** Whether the whole system has been up; before that, its processes warn of each other's absence. */
	up: { was: boolean };
}

const healthyWithinMs = 30_000;
const consulWithinMs = 10_000;
/** The processes of a killed start stop by themselves; requests in flight may take some seconds. */
const patienceMs = 20_000;

/**
 * Brings the whole system up:
 * 1. lock the data directory; 2. check all ports, before any process is started;
 * 3. databases, 4. registry, in parallel; 5. services, in parallel; 6. gateway; 7. wait for its health.
 * Pushes a function for each started part onto `undo`, also if a later step throws.
 * @throws StartError for failures that the operator can fix; the signal's reason when it is aborted.
 */
export async function bringUp(
	config: StartConfig,
	report: (line: string) => void,
	signal: AbortSignal,
	undo: Undo[],
) {
	const data = await openDataDirectory(config.dataDir, report); // 1
	undo.push(() => data.release());
	await checkPorts(planPorts(config), data.takenOver ? patienceMs : 0); // 2
	const start: Start = { config, data, report, signal, undo, up: { was: false } };
	const databasesStarting = startDatabases(start); // 3
	const registryStarting = startRegistry(start); // 4
	await all([databasesStarting, registryStarting], new AbortController());
	const [databases, registry] = [await databasesStarting, await registryStarting];
	signal.throwIfAborted();
	await startServices(start, databases, registry.environment); // 5
	const { gatewayUrl, operationsUrl } = await startGateway(start, registry.environment); // 6
	const limit = AbortSignal.timeout(healthyWithinMs);
	// Not of attached services, which are started elsewhere.
	const started = [...config.contexts.map(({ name }) => name), 'discovery', 'gateway'];
	const waiting = waitUntilUp(`${operationsUrl}/health`, started, AbortSignal.any([signal, limit]));
	await waiting.catch((error: unknown) => {
		signal.throwIfAborted();
		if (!limit.aborted) throw error;
		report(
			`gateway: the system is not healthy after ${healthyWithinMs / 1000} s; see ${operationsUrl}/health`,
		);
	}); // 7
	start.up.was = true;
	return {
		gatewayUrl,
		operationsUrl,
		registry: registry.description,
		database: databases.description,
		databaseUrls: databases.urls,
		...(databases.note === undefined ? {} : { note: databases.note }),
		logs: `${data.path}/logs`,
	};
}

async function startDatabases({ config, data, report, signal, undo }: Start): Promise<OpenedDatabases> {
	const opened = await openDatabases(config, data, report, signal);
	const { server } = opened;
	// Undone after everything that is started later, in any completion order of the parallel steps.
	if (server) undo.splice(1, 0, () => server.stop());
	undo.splice(server ? 2 : 1, 0, await publishDatabases(data.path, opened.urls));
	return opened;
}

async function startRegistry({ config, data, report, signal, undo }: Start) {
	const path = config.path;
	const choice = chooseRegistry(config, findConsul(path));
	if (choice.kind === 'static') {
		const environment: RegistryEnvironment = {
			DISCOVERY: 'static',
			SERVICE_INSTANCES: serviceInstances(config),
		};
		return { environment, description: `static list (${choice.reason})` };
	}
	if (choice.kind === 'external')
		await waitForConsul(choice.address, config.environment, consulWithinMs, signal);
	const ports = await chooseConsulPorts();
	const address = choice.kind === 'external' ? choice.address : `127.0.0.1:${ports.http}`;
	if (choice.kind === 'agent') {
		const logFile = data.logFile('consul');
		const tls = config.environment;
		const reportConsul = (line: string) => report(`consul: ${line}`);
		const options = {
			program: choice.program,
			ports,
			logFile,
			directory: data.path,
			path,
			tls,
			report: reportConsul,
		};
		const agent = await keepRunning(
			{
				start: (given) => startConsulAgent(options, given),
				report: reportConsul,
			},
			signal,
		);
		undo.push(() => agent.stop());
	}
	const { LAST_KNOWN_DIR: directory } = config.environment;
	const environment: RegistryEnvironment = {
		DISCOVERY: 'consul',
		CONSUL_HTTP_ADDR: address,
		LAST_KNOWN_DIR: directory || `${data.path}/discovery`,
	};
	return { environment, description: `Consul at ${address} (${choice.reason})` };
}

async function startServices(start: Start, databases: OpenedDatabases, registry: RegistryEnvironment) {
	const kept: KeptRunning[] = [];
	const serviceSecrets = newServiceSecrets();
	const keyEncryption = await keyEncryptionSetting(start.config, start.data.path);
	start.undo.push(async () => {
		await Promise.all(kept.map((service) => service.stop()));
	});
	const failing = new AbortController();
	const signal = AbortSignal.any([start.signal, failing.signal]);
	const attempts = planServices(start.config).map(async (planned) => {
		const own = { databaseUrl: databases.urls.get(planned.context.name), serviceSecrets, keyEncryption };
		kept.push(await startService({ ...start, signal }, planned, registry, own));
	});
	await all(attempts, failing);
}

async function startService(
	start: Start,
	planned: PlannedService,
	registry: RegistryEnvironment,
	own: Parameters<typeof serviceEnvironment>[3],
): Promise<KeptRunning> {
	const { config, data, signal } = start;
	const { context, name, portOffset } = planned;
	const environment = serviceEnvironment(config, planned, registry, own);
	return await keepNodeProcess(
		{
			name: serviceName({ name }),
			main: serviceMain(context),
			environment,
			logFile: data.logFile(name),
			readyUrl: `${internalScheme(config)}://${reachableHost(serviceHost(config))}:${config.port + portOffset}/health`,
			report: reportOf(start, serviceName({ name })),
		},
		signal,
	);
}

async function startGateway(start: Start, registry: RegistryEnvironment) {
	const { config, data, signal, undo } = start;
	const gatewayUrl = `http://${reachableHost(config.host)}:${config.port}`;
	const scheme = config.opsPort === undefined ? 'http' : internalScheme(config);
	const operationsUrl = `${scheme}://${reachableHost(config.host)}:${config.opsPort ?? config.port}${config.opsPrefix}`;
	const gateway = await keepNodeProcess(
		{
			name: 'gateway',
			main: gatewayMain,
			environment: gatewayEnvironment(config, registry),
			logFile: data.logFile('gateway'),
			readyUrl: `${operationsUrl}/health/readiness`,
			report: reportOf(start, 'gateway'),
		},
		signal,
	);
	undo.push(() => gateway.stop());
	return { gatewayUrl, operationsUrl };
}

/**
 * Prints the lines of one process. Its warnings only once the whole system has been up, and recoveries only after a warning; the log has
 * them all.
 */
function reportOf({ report, up }: Start, name: string): (line: string) => void {
	let hasWarned = false;
	return (line) => {
		const isWarning = line.startsWith('warn: ');
		if (line.startsWith('info: ') ? !hasWarned : isWarning && !up.was) return;
		hasWarned ||= isWarning || line.startsWith('error: ');
		report(`${name}: ${line}`);
	};
}

/** With TLS_CERT, services and OPS_PORT require TLS. */
function internalScheme({ environment: { TLS_CERT } }: StartConfig): 'http' | 'https' {
	return TLS_CERT === undefined || TLS_CERT === '' ? 'http' : 'https';
}

function keepNodeProcess(
	options: Parameters<typeof startNodeProcess>[0],
	signal: AbortSignal,
): Promise<KeptRunning> {
	return keepRunning(
		{
			start: (given, attempt) => startNodeProcess(options, given, attempt),
			report: options.report,
		},
		signal,
	);
}

/** Waits for all attempts, so that `undo` has every started part; a failure aborts the others. @throws the first failure */
async function all(attempts: Promise<unknown>[], failing: AbortController): Promise<void> {
	const failures: unknown[] = [];
	const noted = attempts.map((attempt) =>
		attempt.catch((error: unknown) => {
			failures.push(error);
			failing.abort();
		}),
	);
	await Promise.all(noted);
	if (failures.length > 0) throw failures[0];
}
