import { ApiError, apiError } from '@paddock/contract';
import type { SharedText, StoredText } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { type OverrideDocument, overridesText, parseOverrides } from './override-document.ts';
import {
	type BreakerOverride,
	type CurrentOverride,
	coveredBy,
	covers,
	createOverrideTable,
	type OverrideChange,
	type OverrideTable,
	type OverrideTarget,
	sameOverrides,
} from './override-table.ts';

/** Where overrides are stored: for all gateways, or in the memory of this one. */
type OverrideStoreKind = 'consul' | 'redis' | 'memory';

export interface BreakerOverrides extends Pick<OverrideTable, 'of' | 'list'> {
	readonly storedIn: OverrideStoreKind;
	/** Whether the store doesn't respond, so that changes made at other gateways are unknown. */
	stale(): boolean;
	/** Resolves after the first attempt to read the store. */
	readonly loaded: Promise<void>;
	/**
	 * One for a context replaces those for its instances: the newest that covers an instance applies.
	 * @throws ApiError CONFLICT or SERVICE_UNAVAILABLE, see `remove`
	 */
	set(target: OverrideTarget, override: BreakerOverride): Promise<void>;
	/**
	 * For a context the overrides of its instances end as well. Does nothing without an override.
	 * @throws ApiError CONFLICT if another administrator has changed these overrides and this gateway hadn't shown it
	 * @throws ApiError SERVICE_UNAVAILABLE if they can't be stored
	 */
	remove(target: OverrideTarget, cause: string): Promise<void>;
	close(): Promise<void>;
}

export interface BreakerOverridesDeps {
	readonly now: () => Date;
	/** Monotonic milliseconds; by default of this process. */
	readonly nowMs?: () => number;
	readonly logger: Logger;
	readonly onChange: (change: OverrideChange) => void;
	/** Undefined: the memory of this process. */
	readonly store?: { readonly kind: 'consul' | 'redis'; readonly text: SharedText } | undefined;
}

const attemptsMax = 5;
const removedElsewhere = 'removed at another gateway';

/**
 * Overrides of breakers, for all gateways if there is a store: each follows the stored document and keeps the last known
 * one, until the overrides expire, if the store is lost.
 */
export function createBreakerOverrides({ store, ...deps }: BreakerOverridesDeps): BreakerOverrides {
	const table = createOverrideTable(deps);
	const readDocument = documentReader(deps);
	const change =
		store === undefined
			? async (_target: OverrideTarget, edit: Edit, cause: string) => table.replace(edit(table.list()), cause)
			: storedChange(store.text, table, { ...deps, readDocument });
	return {
		of: table.of,
		list: table.list,
		storedIn: store?.kind ?? 'memory',
		stale: () => store?.text.stale() ?? false,
		loaded:
			store?.text.follow((stored) => adopt(stored, store.text, table, readDocument)) ?? Promise.resolve(),
		set: (target, override) =>
			change(target, (list) => [...without(list, target), { target, ...override }], removedElsewhere),
		remove: (target, cause) => change(target, (list) => without(list, target), cause),
		close: async () => {
			table.close();
			await store?.text.close();
		},
	};
}

type Edit = (overrides: readonly CurrentOverride[]) => readonly CurrentOverride[];

interface Change {
	readonly target: OverrideTarget;
	readonly edit: Edit;
	readonly cause: string;
}

/** Undefined for a text that is not a document: the last known overrides stay. */
type ReadDocument = (text: string) => OverrideDocument | undefined;

interface Deps extends Pick<BreakerOverridesDeps, 'now' | 'logger'> {
	readonly readDocument: ReadDocument;
}

function without(list: readonly CurrentOverride[], target: OverrideTarget): readonly CurrentOverride[] {
	return list.filter((override) => !covers(target, override.target));
}

/** Applies the stored document at this gateway. */
async function adopt(
	stored: StoredText,
	text: SharedText,
	table: OverrideTable,
	readDocument: ReadDocument,
): Promise<void> {
	const overrides = table.list();
	if (stored.text !== undefined) {
		const document = readDocument(stored.text);
		if (document !== undefined) table.replace(document.overrides, document.removal);
	} else if (overrides.length > 0) {
		// Overrides are removed by writing a document without them, so the store has lost its data.
		await text.write(overridesText({ overrides, removal: removedElsewhere }), stored.version);
	}
}

/** Logs a text that is not readable once, although it is read again and again. */
function documentReader({ now, logger }: Pick<BreakerOverridesDeps, 'now' | 'logger'>): ReadDocument {
	let unreadable: string | undefined;
	return (text) => {
		try {
			const document = parseOverrides(text, now());
			unreadable = undefined;
			return document;
		} catch (error) {
			if (text !== unreadable) logger.error('stored breaker overrides are not readable', { error });
			unreadable = text;
			return undefined;
		}
	};
}

/** Changes the document by compare-and-set, so that the change of another administrator is neither lost nor undone. */
function storedChange(text: SharedText, table: OverrideTable, deps: Deps) {
	const isCurrent = ({ until }: CurrentOverride): boolean => deps.now() < until;
	/** `former`: the overrides that the previous attempt has written, perhaps without receiving the response. */
	const tryChange = async (
		{ target, edit, cause }: Change,
		former: readonly CurrentOverride[] | undefined,
	): Promise<{ readonly stored: boolean; readonly next: readonly CurrentOverride[] }> => {
		const stored = await text.read();
		const document = stored.text === undefined ? undefined : deps.readDocument(stored.text);
		const known = document?.overrides.filter(isCurrent) ?? table.list();
		if (former !== undefined && sameOverrides(coveredBy(target, known), coveredBy(target, former))) {
			table.replace(known, document?.removal ?? cause);
			return { stored: true, next: known };
		}
		if (!sameOverrides(coveredBy(target, known), coveredBy(target, table.list()))) {
			table.replace(known, document?.removal ?? removedElsewhere);
			throw apiError('CONFLICT', {
				message: 'Another administrator has just changed these overrides. Read the list and repeat.',
			});
		}
		const next = edit(known);
		const written = await text.write(overridesText({ overrides: next, removal: cause }), stored.version);
		if (written) table.replace(next, cause);
		return { stored: written, next };
	};
	return async (target: OverrideTarget, edit: Edit, cause: string): Promise<void> => {
		let former: readonly CurrentOverride[] | undefined;
		for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
			try {
				const { stored, next } = await tryChange({ target, edit, cause }, former);
				if (stored) return;
				former = next;
			} catch (error) {
				if (error instanceof ApiError) throw error;
				deps.logger.warn('breaker override not stored', { ...target, error });
				throw notStored();
			}
		}
		throw notStored();
	};
}

function notStored(): ApiError {
	return apiError('SERVICE_UNAVAILABLE', {
		message: 'The store of overrides does not respond. Read the list of breakers before repeating.',
	});
}
