import { setImmediate as turn } from 'node:timers/promises';
import type { Registry, Watch } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import { attachedContract, contractOfUnknown } from '../contexts/attached-contract.ts';
import type { Entry } from '../contexts/contexts-file.ts';
import type { Contract } from '../contexts/contracts.ts';
import { compileRequestCheck } from './request-check.ts';

/** An entry with its contract, as one process sends it to another. */
export interface AttachedEntry {
	readonly entry: Entry;
	/** Undefined before the contract is known. */
	readonly contract: { readonly hash: string; readonly content: unknown } | undefined;
}

interface PreparedContract extends Contract {
	/** Patterns of the contract that the service alone checks. */
	readonly unchecked: readonly string[];
}

export type Preparation = ReturnType<typeof createPreparation>;

export function createPreparation() {
	const known = new Map<string, PreparedContract>();
	const keyOf = ({ entry, contract }: AttachedEntry) => JSON.stringify([entry, contract?.hash]);
	return {
		/** @throws ZodError or Error, with all that is wrong with the contract */
		prepare: async (entry: AttachedEntry): Promise<PreparedContract> => {
			const found = known.get(keyOf(entry)) ?? (await prepare(entry));
			known.set(keyOf(entry), found);
			return found;
		},
		keepOnly: (entries: readonly AttachedEntry[]): void => {
			const kept = new Set(entries.map(keyOf));
			for (const key of known.keys()) if (!kept.has(key)) known.delete(key);
		},
	};
}

async function prepare({ entry, contract }: AttachedEntry): Promise<PreparedContract> {
	if (contract === undefined) return { ...contractOfUnknown(entry), unchecked: [] };
	// The contract has just been parsed.
	await turn();
	const { context, document, original } = await attachedContract(entry, contract.content);
	if (entry.validate === 'off' || context.attached === undefined) return { context, document, unchecked: [] };
	const { check, unchecked } = await compileRequestCheck(original);
	return {
		document,
		unchecked,
		context: { ...context, attached: { ...context.attached, checkRequest: check } },
	};
}

/** The attached contexts of this process: at its start, and after each change. */
export interface AttachedFeed {
	readonly initial: readonly Contract[];
	/** One listener. */
	onChange(listener: (contracts: readonly Contract[]) => void): void;
}

/** Prepares the entries of `source` in order, each once the instances of its services are known; logs and omits unusable ones. */
export async function openAttachedFeed(
	source: {
		entries(): readonly AttachedEntry[];
		onChange(listener: (entries: readonly AttachedEntry[]) => void): void;
	},
	deps: {
		readonly preparation: Preparation;
		readonly registry: Pick<Registry, 'watch'>;
		readonly logger: Logger;
	},
): Promise<AttachedFeed> {
	const { preparation, registry, logger } = deps;
	const prepareAll = async (entries: readonly AttachedEntry[]) => {
		const prepared: Contract[] = [];
		for (const entry of entries) prepared.push(await preparation.prepare(entry));
		return prepared;
	};
	// A change before there is a listener is reported to it at once.
	let missed: readonly Contract[] | undefined;
	let listener = (contracts: readonly Contract[]): void => {
		missed = contracts;
	};
	const first = prepareAll(source.entries());
	// One after the other, and none before the first ones are served.
	let last: Promise<unknown> = first;
	const follow = (entries: readonly AttachedEntry[]): void => {
		last = last
			.then(async () => {
				const contracts = await prepareAll(entries);
				const watches = contracts.map(({ context }) => registry.watch(context.service));
				await Promise.all(watches.map(instancesKnown));
				listener(contracts);
				for (const watch of watches) watch.stop();
				preparation.keepOnly(entries);
			})
			.catch((error: unknown) => {
				logger.error('attached contexts could not be replaced', { error });
			});
	};
	source.onChange(follow);
	return {
		initial: await first,
		onChange: (next) => {
			listener = next;
			if (missed !== undefined) next(missed);
		},
	};
}

/** A registry that does not respond delays no change for longer. */
const registryPatienceMs = 1_000;

/** Resolves when the registry has responded, or is overdue: a route whose instances are not known yet would fail requests. */
function instancesKnown(watch: Watch): Promise<void> {
	if (watch.responded()) return Promise.resolve();
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, registryPatienceMs);
		watch.onChange(() => {
			clearTimeout(timer);
			resolve();
		});
	});
}
