import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Instance, Registry } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import { parse } from 'yaml';
import type { GatewayConfig } from '../config/config.ts';
import { type ContractSource, causesOf, type Entry, limitedText } from '../contexts/contexts-file.ts';
import { type StopReading, startReading } from './contract-reader.ts';
import type { ContractStore } from './contract-store.ts';
import { type ContractClient, contractBytesMax, type Fetched, parsedContract } from './fetch-contract.ts';
import type { AttachedEntry, Preparation } from './prepared-contexts.ts';

export interface ContractDeps {
	readonly config: GatewayConfig;
	readonly registry: Registry;
	readonly client: ContractClient;
	readonly store: ContractStore;
	readonly preparation: Preparation;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly onChange: () => void;
}

type SourceAt<Kind> = ContractSource & { readonly kind: Kind };
type Known = NonNullable<AttachedEntry['contract']>;

/** An attached context with its contract: read from a file, or at the service for as long as it is followed. */
export class FollowedContract {
	readonly entry: Entry;
	readonly source: ContractSource;
	/** The last one that was usable; undefined before the first. */
	contract: Known | undefined;
	/** When it was last confirmed. */
	confirmedAt: Date | undefined;
	/** Why the contract is not that of the source; empty if it is. */
	problems: readonly string[] = [];
	/** Patterns that the service alone checks. */
	unchecked: readonly string[] = [];
	/** The entry before its last change, which is served until a contract is usable with this one. */
	former: AttachedEntry | undefined;
	readonly #deps: ContractDeps;
	#stopReading: StopReading | undefined;
	#isStopped = false;
	/** The last contract that was not usable. */
	#refused: { readonly hash: string; readonly problems: readonly string[] } | undefined;

	constructor(entry: Entry, source: ContractSource, deps: ContractDeps) {
		this.entry = entry;
		this.source = source;
		this.#deps = deps;
	}

	served(): AttachedEntry {
		const { entry, contract, former } = this;
		return contract === undefined && former !== undefined ? former : { entry, contract };
	}

	/** Begins to read at the service, if it is the source; once. */
	follow(isHealthy: (service: string, instance: Instance) => Promise<boolean>): void {
		const { source, entry } = this;
		if (this.#stopReading !== undefined || source.kind !== 'service') return;
		const { registry, client, config } = this.#deps;
		this.#stopReading = startReading(
			{
				...{ registry, isHealthy, client, refreshMs: config.CONTRACT_REFRESH_MS },
				onRead: (fetched) => this.#accept(fetched),
				onUnreachable: (problem) => {
					// Health says that; a contract that is known stays true.
					if (this.contract === undefined) this.#report([problem]);
				},
				onProblem: (problem) => this.#report([problem]),
			},
			{ service: entry.service, path: source.path },
		);
	}

	stop(): void {
		this.#isStopped = true;
		this.#stopReading?.();
	}

	/** Uses a contract, if it is valid. @throws Error with what is wrong */
	async use(contract: Known, confirmedAt: Date | undefined): Promise<void> {
		const { unchecked } = await this.#deps.preparation.prepare({ entry: this.entry, contract });
		Object.assign(this, { contract, unchecked, confirmedAt, former: undefined });
	}

	/** Uses a contract that the service has returned, if it is valid. */
	async #accept(fetched: Fetched): Promise<boolean> {
		const hash = fetched.unchanged ? this.contract?.hash : hashOf(fetched.text);
		// Judging it again would cost the same time and end the same.
		if (this.#refused !== undefined && this.#refused.hash === hash) {
			this.#report(this.#refused.problems);
			return false;
		}
		const { logger, now, store, preparation, onChange } = this.#deps;
		const { entry, source } = this;
		try {
			if (!fetched.unchanged && hash !== this.contract?.hash) {
				const contract = contentOf(fetched.text);
				const { context, unchecked } = await preparation.prepare({ entry, contract });
				// Detached, or replaced, while it was prepared.
				if (this.#isStopped) return true;
				Object.assign(this, { contract, unchecked, former: undefined });
				const { publicRoutes } = context;
				logger.info('contract read', { context: entry.name, hash: contract.hash, publicRoutes });
				onChange();
			}
			this.confirmedAt = now();
			this.#report([]);
			if (fetched.unchanged) return true;
			const readAt = now().toISOString();
			await store.keep(entry.name, {
				...{ service: entry.service, path: source.path, text: fetched.text, readAt },
			});
			return true;
		} catch (error) {
			const problems = causesOf(error).slice(0, problemsMax);
			if (hash !== undefined) this.#refused = { hash, problems };
			this.#report(problems);
			return false;
		}
	}

	/** Logged once for each change. */
	#report(problems: readonly string[]): void {
		const texts = problems.map((problem) => problem.slice(0, problemCharsMax));
		const isNews = JSON.stringify(this.problems) !== JSON.stringify(texts);
		this.problems = texts;
		const { logger } = this.#deps;
		if (isNews && texts.length > 0)
			logger.warn('contract is not usable', { context: this.entry.name, problems: texts });
	}
}

interface Loading {
	readonly present: FollowedContract | undefined;
	readonly deps: ContractDeps;
}

/** An entry whose contract is a file. @throws Error with what is wrong with it */
export async function contractOfFile(
	entry: Entry,
	source: SourceAt<'file'>,
	{ present, deps }: Loading,
): Promise<FollowedContract> {
	const text = await limitedText(source.path, contractBytesMax);
	const hash = hashOf(text);
	if (present?.contract?.hash === hash && isDeepStrictEqual(present.entry, entry)) return present;
	const followed = new FollowedContract(entry, source, deps);
	await followed.use({ hash, content: parsedFile(text) }, deps.now());
	return followed;
}

/** JSON is YAML too, but takes that reader seconds; so does its comparison of each key with each other. */
function parsedFile(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return parse(text, { uniqueKeys: false }); // YAML.
	}
}

/** An entry whose contract is read at the service, beginning with the one that was stored. */
export async function contractOfService(
	entry: Entry,
	source: SourceAt<'service'>,
	{ present, deps }: Loading,
): Promise<FollowedContract> {
	if (present !== undefined && isDeepStrictEqual(present.entry, entry)) return present;
	const followed = new FollowedContract(entry, source, deps);
	followed.problems = ['has not been read yet'];
	followed.confirmedAt = present?.confirmedAt;
	const served = present?.served();
	const isSame = served?.entry.service === entry.service && served.entry.contract === entry.contract;
	// Another prefix applies at once: the former one may belong to another entry now. Without a contract nothing is served that could stay.
	if (served?.contract !== undefined && served.entry.prefix === entry.prefix) followed.former = served;
	const stored = isSame ? undefined : await deps.store.restore(entry.name);
	const isOfService = stored?.service === entry.service && stored.path === source.path;
	try {
		if (isSame && served.contract !== undefined) {
			await followed.use(served.contract, followed.confirmedAt);
			if (present?.contract === served.contract) followed.problems = present.problems;
		} else if (isOfService) await followed.use(contentOf(stored.text), new Date(stored.readAt));
	} catch {
		// The entry has changed since, e.g. its prefix. The present contract is read and judged soon.
	}
	if (followed.contract === undefined && followed.former !== undefined)
		followed.former = await withFormerContract(entry, followed.former, deps);
	return followed;
}

/** The entry with the former service, contract and check of requests, so that e.g. a public route that it no longer has is closed at once; the former one if that is not usable. */
async function withFormerContract(
	entry: Entry,
	former: AttachedEntry,
	{ preparation }: ContractDeps,
): Promise<AttachedEntry> {
	const { service, contract, validate } = former.entry;
	const { healthPath } = service === entry.service ? entry : former.entry;
	const edited = {
		entry: { ...entry, service, contract, validate, healthPath },
		contract: former.contract,
	};
	return preparation.prepare(edited).then(
		() => edited,
		() => former,
	);
}

const problemsMax = 20;
const problemCharsMax = 500;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const contentOf = (text: string) => ({ hash: hashOf(text), content: parsedContract(text) });
