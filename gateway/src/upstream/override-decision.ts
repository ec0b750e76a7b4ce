import { z } from 'zod';

/** The longest override: timers and forgotten overrides are bounded by it. */
export const overrideSecondsMax = 86_400;

const instant = z.iso.datetime().transform((text) => new Date(text));

const override = z.object({
	target: z.object({ context: z.string(), instance: z.string().optional() }),
	state: z.enum(['OPEN', 'CLOSED']),
	reason: z.string(),
	by: z.string(),
	/** The user's name at that time; absent if auth did not report it. */
	byName: z.string().optional(),
	at: instant,
	until: instant,
});

const decision = override.extend({
	/** `AUTO` ends the overrides that it covers; `reason` is then why. */
	state: z.enum(['OPEN', 'CLOSED', 'AUTO']),
	/** Until when it supersedes older ones: the end of the last override that it covers. */
	keptUntil: instant,
	/** The service of the context: a context that gets the name later is another one. */
	service: z.string(),
});

export type CurrentOverride = z.output<typeof override>;

export type OverrideDecision = z.output<typeof decision>;

/** @throws Error if the text is not a decision, or an override in it would apply for longer than any can be set for */
export function parseDecision(text: string, now: Date): OverrideDecision {
	const parsed = decision.parse(JSON.parse(text));
	// The clock of the gateway that stored it may be ahead.
	const latest = new Date(now.getTime() + 2 * overrideSecondsMax * 1_000);
	if (parsed.until > latest || parsed.keptUntil > latest) throw new RangeError('An override never expires.');
	return parsed;
}

const formerDocument = z.object({ overrides: z.array(override).max(10_000) });

/**
 * The overrides of the one document in which versions before 0.5 keep them, which may still run; the first gateway that reads
 * one stores it as a decision. @throws Error if it is not readable
 */
export function formerDecisions(
	text: string,
	serviceOf: (context: string) => string | undefined,
): readonly OverrideDecision[] {
	return formerDocument.parse(JSON.parse(text)).overrides.map((each) => ({
		...each,
		keptUntil: each.until,
		service: serviceOf(each.target.context) ?? '',
	}));
}

/** The decisions of all administrators, by `storeKey` of their targets. */
export type OverrideDecisions = ReadonlyMap<string, OverrideDecision>;

/** Ids may hold any character. */
export function storeKey({ context, instance }: CurrentOverride['target']): string {
	return [context, ...(instance === undefined ? [] : [instance])].map(encodeURIComponent).join('/');
}

/** The newest of the decisions on each target; of two at the same time the later one in the list. */
export function newestDecisions(decisions: readonly OverrideDecision[]): OverrideDecisions {
	const newest = new Map<string, OverrideDecision>();
	for (const each of decisions) {
		const key = storeKey(each.target);
		const other = newest.get(key);
		if (other === undefined || other.at <= each.at) newest.set(key, each);
	}
	return newest;
}

/** A decision later than all those that it covers, and than that on its context, whatever the clocks of the gateways say. */
export function decisionAfter(
	covered: readonly OverrideDecision[],
	ofContext: OverrideDecision | undefined,
	own: Omit<OverrideDecision, 'keptUntil'>,
): OverrideDecision {
	const former = ofContext === undefined ? covered : [...covered, ofContext];
	const at = Math.max(own.at.getTime(), ...former.map((each) => each.at.getTime() + 1));
	const ends = covered.map(({ keptUntil }) => keptUntil.getTime());
	return { ...own, at: new Date(at), keptUntil: new Date(Math.max(own.until.getTime(), ...ends)) };
}

/** The last decision on each target, of those that have a meaning yet. */
export function lastDecisions(
	some: OverrideDecisions,
	others: OverrideDecisions,
	now: Date,
): OverrideDecisions {
	const last = new Map(some);
	for (const [key, decision] of others) {
		const known = last.get(key);
		if (known === undefined || known.at <= decision.at) last.set(key, decision);
	}
	return new Map([...last].filter(([, { keptUntil }]) => now < keptUntil));
}

/** The decision for all of a context if it is newer than one for an instance of it. */
function supersedingOf(
	{ target, at }: OverrideDecision,
	all: OverrideDecisions,
): OverrideDecision | undefined {
	if (target.instance === undefined) return undefined;
	const ofContext = all.get(storeKey({ context: target.context }));
	return ofContext !== undefined && ofContext.at > at ? ofContext : undefined;
}

/** @param serviceOf the service of a context; undefined if there is no such context */
export function overridesInForce(
	all: OverrideDecisions,
	serviceOf: (context: string) => string | undefined,
	now: Date,
): readonly CurrentOverride[] {
	return [...all.values()].flatMap((decision) => {
		const { keptUntil: _kept, service, state, ...override } = decision;
		if (state === 'AUTO' || now >= decision.until || serviceOf(decision.target.context) !== service)
			return [];
		return supersedingOf(decision, all) === undefined ? [{ ...override, state }] : [];
	});
}

export function causeOfEnd(target: CurrentOverride['target'], all: OverrideDecisions): string {
	const own = all.get(storeKey(target));
	const last = own === undefined ? undefined : (supersedingOf(own, all) ?? own);
	if (last === undefined) return 'removed at another gateway';
	return last.state === 'AUTO' ? last.reason : `replaced by an override for all of ${target.context}`;
}
