import { createHash } from 'node:crypto';
import type { Instance, MutualTls, Registry } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import { parse } from 'yaml';
import type { GatewayConfig } from '../config/config.ts';
import {
	ContextsFileError,
	type ContractSource,
	causesOf,
	conflictsOf,
	contractSource,
	type Entry,
	limitedText,
	readEntries,
} from '../contexts/contexts-file.ts';
import { type Contracts, ContractsError } from '../contexts/contracts.ts';
import { type StopReading, startReading } from './contract-reader.ts';
import { type ContractStore, createContractStore } from './contract-store.ts';
import {
	type ContractClient,
	contractBytesMax,
	createContractClient,
	type Fetched,
	parsedContract,
} from './fetch-contract.ts';
import type { AttachedEntry, Preparation } from './prepared-contexts.ts';
import { watchFiles } from './watch-files.ts';

/** The contract of an attached context, for health, metrics and the operations page. */
export interface ContractState {
	readonly context: string;
	readonly source: ContractSource;
	/** Undefined before the first contract is known. */
	readonly hash: string | undefined;
	/** When it was last confirmed. */
	readonly confirmedAt: Date | undefined;
	/** Why the present state is not that of the source; empty if it is. */
	readonly problems: readonly string[];
	/** Patterns that the service alone checks. */
	readonly unchecked: readonly string[];
}

/** The services that CONTEXTS_FILE attaches, as they are now. */
export interface AttachedContexts {
	readonly file: string | undefined;
	entries(): readonly AttachedEntry[];
	states(): readonly ContractState[];
	/** Why the present CONTEXTS_FILE is not used; empty if it is. */
	fileProblems(): readonly string[];
	onChange(listener: (entries: readonly AttachedEntry[]) => void): void;
	/** Begins to read contracts at services, and to follow the files. */
	start(isHealthy: (service: string, instance: Instance) => Promise<boolean>): void;
	/** Reads the file again now, as after a change. */
	reload(): Promise<void>;
	close(): void;
}

interface AttachedContextsDeps {
	readonly config: GatewayConfig;
	readonly own: Contracts;
	readonly registry: Registry;
	readonly tls?: MutualTls | undefined;
	readonly preparation: Preparation;
	readonly logger: Logger;
	readonly now: () => Date;
}

interface Attached {
	entry: Entry;
	readonly source: ContractSource;
	contract: AttachedEntry['contract'];
	confirmedAt: Date | undefined;
	problems: readonly string[];
	unchecked: readonly string[];
	stopReading: StopReading | undefined;
	/** The last contract that was not usable. */
	refused?: { readonly hash: string; readonly problems: readonly string[] };
}

/** Reads CONTEXTS_FILE and the contracts that are files. @throws ContractsError listing every violation */
export async function openAttachedContexts(deps: AttachedContextsDeps): Promise<AttachedContexts> {
	const { CONTEXTS_FILE: file } = deps.config;
	if (file === undefined) return none;
	const contexts = new FollowedContexts(file, deps);
	const violations = await contexts.load({ mayBeEmpty: true });
	if (violations.length > 0) throw new ContractsError(violations);
	return contexts;
}

const none: AttachedContexts = {
	file: undefined,
	entries: () => [],
	states: () => [],
	fileProblems: () => [],
	onChange: () => undefined,
	start: () => undefined,
	reload: async () => undefined,
	close: () => undefined,
};

class FollowedContexts implements AttachedContexts {
	readonly file: string;
	readonly #deps: AttachedContextsDeps;
	readonly #client: ContractClient;
	readonly #store: ContractStore;
	#attached = new Map<string, Attached>();
	#fileProblems: readonly string[] = [];
	#contractFiles: readonly string[] = [];
	readonly #listeners: ((entries: readonly AttachedEntry[]) => void)[] = [];
	#isHealthy: ((service: string, instance: Instance) => Promise<boolean>) | undefined;
	#files: { set(files: readonly string[]): void; close(): void } | undefined;
	#loading: Promise<unknown> = Promise.resolve();
	#isClosed = false;

	constructor(file: string, deps: AttachedContextsDeps) {
		this.file = file;
		this.#deps = deps;
		this.#client = createContractClient(deps.tls);
		this.#store = createContractStore(deps.config.LAST_KNOWN_DIR, deps.logger);
	}

	entries(): readonly AttachedEntry[] {
		return [...this.#attached.values()].map(({ entry, contract }) => ({ entry, contract }));
	}

	states(): readonly ContractState[] {
		return [...this.#attached.values()].map(({ entry, contract, ...state }) => ({
			...{ context: entry.name, source: state.source, hash: contract?.hash, confirmedAt: state.confirmedAt },
			...{ problems: state.problems, unchecked: state.unchecked },
		}));
	}

	fileProblems(): readonly string[] {
		return this.#fileProblems;
	}

	onChange(listener: (entries: readonly AttachedEntry[]) => void): void {
		this.#listeners.push(listener);
	}

	start(isHealthy: (service: string, instance: Instance) => Promise<boolean>): void {
		this.#isHealthy = isHealthy;
		for (const attached of this.#attached.values()) this.#read(attached);
		this.#files = watchFiles(() => void this.reload());
		this.#files.set(this.#filesOf());
	}

	async reload(): Promise<void> {
		// A later change must not be overtaken by an earlier one.
		this.#loading = this.#loading
			.then(() => this.#reload())
			.catch((error: unknown) => {
				this.#deps.logger.error('contexts file could not be read', { file: this.file, error });
			});
		await this.#loading;
	}

	close(): void {
		this.#isClosed = true;
		this.#files?.close();
		for (const { stopReading } of this.#attached.values()) stopReading?.();
		this.#client.close();
	}

	async #reload(): Promise<void> {
		if (this.#isClosed) return;
		const { logger } = this.#deps;
		const before = this.#versions();
		const known = this.#fileProblems.join();
		const problems = await this.load({ mayBeEmpty: false });
		this.#fileProblems = problems;
		if (problems.length > 0) {
			if (problems.join() !== known)
				logger.error('contexts file is not valid, nothing changed', { file: this.file, problems });
			return;
		}
		if (this.#versions() === before && known === '') return;
		logger.info('contexts file read', { file: this.file, contexts: [...this.#attached.keys()] });
		this.#publish();
	}

	#versions(): string {
		return JSON.stringify(this.entries().map(({ entry, contract }) => [entry, contract?.hash]));
	}

	/** Reads the file and the contracts that are files, and uses them if all are valid. @returns the violations */
	async load({ mayBeEmpty }: { readonly mayBeEmpty: boolean }): Promise<readonly string[]> {
		const { own, config } = this.#deps;
		try {
			const entries = await readEntries(this.file, mayBeEmpty);
			// Also if one of them is not valid: it is noticed when it is repaired.
			this.#contractFiles = filesOf(entries, this.file);
			this.#files?.set(this.#filesOf());
			const conflicts = conflictsOf(entries, own.contexts, config);
			const loaded = await Promise.all(entries.map((entry) => this.#loadEntry(entry)));
			const violations = [...conflicts, ...loaded.flatMap(({ violations }) => violations)];
			if (violations.length > 0) return violations.map((violation) => `${this.file}: ${violation}`);
			this.#replace(loaded.flatMap(({ attached }) => attached ?? []));
			return [];
		} catch (error) {
			if (error instanceof ContextsFileError) return error.violations;
			throw error;
		}
	}

	/** The present state of an entry is kept, if the source of its contract is the same. */
	async #loadEntry(entry: Entry): Promise<{ attached?: Attached; violations: readonly string[] }> {
		const source = contractSource(entry, this.file);
		const present = this.#attached.get(entry.name);
		const known = present && isSameEntry(present.entry, entry) ? present : undefined;
		if (known !== undefined && source.kind === 'service') return { attached: known, violations: [] };
		if (source.kind === 'file') {
			try {
				const text = await limitedText(source.path, contractBytesMax);
				if (known?.contract?.hash === hashOf(text)) return { attached: known, violations: [] };
				const contract = { hash: hashOf(text), content: parse(text) };
				const { unchecked } = await this.#deps.preparation.prepare({ entry, contract });
				const confirmedAt = this.#deps.now();
				return {
					attached: { entry, source, contract, confirmedAt, problems: [], unchecked, stopReading: undefined },
					violations: [],
				};
			} catch (error) {
				return { violations: causesOf(error).map((cause) => `${entry.name}: ${source.path}: ${cause}`) };
			}
		}
		return { attached: await this.#ofService(entry, source, present), violations: [] };
	}

	/** With the contract that this process, or an earlier one, has read at the service. */
	async #ofService(
		entry: Entry,
		source: ContractSource & { readonly kind: 'service' },
		known: Attached | undefined,
	): Promise<Attached> {
		const isSame =
			known?.source.kind === 'service' &&
			known.source.path === source.path &&
			known.entry.service === entry.service;
		const stored = isSame ? undefined : await this.#store.restore(entry.name);
		const isOfService = stored?.service === entry.service && stored.path === source.path;
		const attached: Attached = {
			...{ entry, source, stopReading: undefined, unchecked: [], contract: undefined },
			confirmedAt: isOfService ? new Date(stored.readAt) : known?.confirmedAt,
			problems: ['has not been read yet'],
		};
		try {
			const contract = isSame ? known.contract : isOfService ? contentOf(stored.text) : undefined;
			if (contract === undefined) return attached;
			const { unchecked } = await this.#deps.preparation.prepare({ entry, contract });
			return { ...attached, contract, unchecked, problems: isSame ? known.problems : attached.problems };
		} catch {
			// The entry has changed since, e.g. its prefix. The present contract is read and judged soon.
			return attached;
		}
	}

	#replace(attached: readonly Attached[]): void {
		const former = this.#attached;
		this.#attached = new Map(attached.map((each) => [each.entry.name, each]));
		for (const [name, each] of former) {
			if (this.#attached.get(name) !== each) each.stopReading?.();
			if (!this.#attached.has(name)) void this.#store.remove(name);
		}
		for (const each of attached) if (each.stopReading === undefined) this.#read(each);
	}

	#read(attached: Attached): void {
		const isHealthy = this.#isHealthy;
		const { source, entry } = attached;
		if (isHealthy === undefined || source.kind !== 'service') return;
		const { registry, config } = this.#deps;
		attached.stopReading = startReading(
			{
				...{ registry, isHealthy, client: this.#client, refreshMs: config.CONTRACT_REFRESH_MS },
				onRead: (fetched) => this.#accept(attached, fetched),
				onUnreachable: (problem) => {
					// Health says that; a contract that is known stays true.
					if (attached.contract === undefined) this.#reportProblems(attached, [problem]);
				},
				onProblem: (problem) => this.#reportProblems(attached, [problem]),
			},
			{ service: entry.service, path: source.path },
		);
	}

	/** Uses a contract that a service has returned, if it is valid. */
	async #accept(attached: Attached, fetched: Fetched): Promise<boolean> {
		const { logger, now } = this.#deps;
		const { entry, source } = attached;
		try {
			if (fetched.unchanged) {
				Object.assign(attached, { confirmedAt: now() });
				this.#reportProblems(attached, []);
				return true;
			}
			// Judging it again would cost the same time and end the same.
			if (attached.refused?.hash === hashOf(fetched.text)) {
				this.#reportProblems(attached, attached.refused.problems);
				return false;
			}
			const isKnown = attached.contract?.hash === hashOf(fetched.text);
			const contract = isKnown && attached.contract ? attached.contract : contentOf(fetched.text);
			const prepared = isKnown ? undefined : await this.#deps.preparation.prepare({ entry, contract });
			// Detached, or replaced, while it was prepared.
			if (this.#attached.get(entry.name) !== attached) return true;
			Object.assign(attached, {
				contract,
				confirmedAt: now(),
				...(prepared && { unchecked: prepared.unchecked }),
			});
			this.#reportProblems(attached, []);
			if (prepared !== undefined) {
				const { publicRoutes } = prepared.context;
				logger.info('contract read', { context: entry.name, hash: contract.hash, publicRoutes });
				this.#publish();
			}
			const { service } = entry;
			await this.#store.keep(entry.name, {
				...{ service, path: source.path, text: fetched.text, readAt: now().toISOString() },
			});
			return true;
		} catch (error) {
			const problems = causesOf(error).slice(0, problemsMax);
			if (!fetched.unchanged) attached.refused = { hash: hashOf(fetched.text), problems };
			this.#reportProblems(attached, problems);
			return false;
		}
	}

	/** Logged once for each change. */
	#reportProblems(attached: Attached, problems: readonly string[]): void {
		const texts = problems.map((problem) => problem.slice(0, problemCharsMax));
		const isNews = JSON.stringify(attached.problems) !== JSON.stringify(texts);
		attached.problems = texts;
		const { logger } = this.#deps;
		if (isNews && texts.length > 0)
			logger.warn('contract is not usable', { context: attached.entry.name, problems: texts });
	}

	#publish(): void {
		if (this.#isClosed) return;
		const entries = this.entries();
		for (const listener of this.#listeners) listener(entries);
	}

	#filesOf(): string[] {
		return [this.file, ...this.#contractFiles];
	}
}

function filesOf(entries: readonly Entry[], file: string): string[] {
	const sources = entries.map((entry) => contractSource(entry, file));
	return sources.filter(({ kind }) => kind === 'file').map(({ path }) => path);
}

const isSameEntry = (one: Entry, other: Entry) => JSON.stringify(one) === JSON.stringify(other);

const problemsMax = 20;
const problemCharsMax = 500;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const contentOf = (text: string) => ({ hash: hashOf(text), content: parsedContract(text) });
