import type { Instance, MutualTls, Registry } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import type { GatewayConfig } from '../config/config.ts';
import {
	ContextsFileError,
	type ContractSource,
	causesOf,
	conflictsOf,
	contractSource,
	type Entry,
	readEntries,
} from '../contexts/contexts-file.ts';
import { type Contracts, ContractsError } from '../contexts/contracts.ts';
import { type ContractStore, createContractStore } from './contract-store.ts';
import { type ContractClient, openContractClient } from './fetch-contract.ts';
import {
	type ContractDeps,
	contractOfFile,
	contractOfService,
	type FollowedContract,
} from './followed-contract.ts';
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
	readonly #contractDeps: ContractDeps;
	#attached = new Map<string, FollowedContract>();
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
		this.#client = openContractClient(deps.tls);
		this.#store = createContractStore(deps.config.LAST_KNOWN_DIR, deps.logger);
		const onChange = () => this.#publish();
		this.#contractDeps = { ...deps, client: this.#client, store: this.#store, onChange };
	}

	entries(): readonly AttachedEntry[] {
		return [...this.#attached.values()].map((each) => each.served());
	}

	states(): readonly ContractState[] {
		return [...this.#attached.values()].map((each) => ({
			...{ context: each.entry.name, source: each.source, hash: each.served().contract?.hash },
			...{ confirmedAt: each.confirmedAt, problems: each.problems, unchecked: each.unchecked },
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
		for (const each of this.#attached.values()) each.follow(isHealthy);
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
		for (const each of this.#attached.values()) each.stop();
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
			const violations = [
				...conflicts,
				...loaded.flatMap((each) => ('violations' in each ? each.violations : [])),
			];
			if (violations.length > 0) return violations.map((violation) => `${this.file}: ${violation}`);
			this.#replace(loaded.flatMap((each) => ('violations' in each ? [] : each)));
			return [];
		} catch (error) {
			if (error instanceof ContextsFileError) return error.violations;
			throw error;
		}
	}

	/** The present one is kept, if entry and contract are the same. */
	async #loadEntry(entry: Entry): Promise<FollowedContract | { readonly violations: readonly string[] }> {
		const source = contractSource(entry, this.file);
		const loading = { present: this.#attached.get(entry.name), deps: this.#contractDeps };
		if (source.kind === 'service') return contractOfService(entry, source, loading);
		try {
			return await contractOfFile(entry, source, loading);
		} catch (error) {
			return { violations: causesOf(error).map((cause) => `${entry.name}: ${source.path}: ${cause}`) };
		}
	}

	#replace(attached: readonly FollowedContract[]): void {
		const former = this.#attached;
		this.#attached = new Map(attached.map((each) => [each.entry.name, each]));
		for (const [name, each] of former) {
			if (this.#attached.get(name) !== each) each.stop();
			if (!this.#attached.has(name)) void this.#store.remove(name);
		}
		const isHealthy = this.#isHealthy;
		if (isHealthy !== undefined) for (const each of attached) each.follow(isHealthy);
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
