import { bodyFields, id, isoAlpha2, line, whenValid } from '@paddock/service';
import { z } from 'zod';

const ownersMax = 20;

const externalParty = z
	.strictObject({
		name: line(1, 120).describe('Name of the person or business.'),
		countryCode: isoAlpha2.describe('Country of residence, ISO 3166-1 alpha-2.'),
	})
	.nullable()
	.meta({
		id: 'ExternalParty',
		description: 'An owner who is not a member of the federation; null for a member.',
	});

const fields = {
	memberId: id.nullable().describe('UUID of the member; null for an external party.'),
	externalParty,
	sharePercent: z
		.number()
		.gt(0)
		.max(100)
		.refine(hasTwoDecimals, { params: { code: 'INVALID_RANGE' }, message: 'must have two decimals at most' })
		.meta({ 'x-decimals': 2 })
		.nullable()
		.describe(
			'Share in percent, two decimals at most. Either all owners have one, 100 in total, or none has (null).',
		),
};

export const owner = z
	.strictObject(fields)
	.meta({ id: 'HorseOwner', description: 'One owner: a member or an external party.' });

export type Owner = z.output<typeof owner>;

const ownerBody = z
	.strictObject(bodyFields(fields))
	.refine((value) => (value.memberId === null) !== (value.externalParty === null), {
		path: ['memberId'],
		message: 'is required, or else externalParty: an owner is one of the two',
		params: { code: 'REQUIRED' },
		when: whenValid('memberId', 'externalParty'),
	})
	.meta({ id: 'HorseOwnerBody', description: 'One owner: a member or an external party.' });

/** Owners of one period, in order. External parties may have one name, as father and son. */
export const ownersBody = z
	.array(ownerBody)
	.min(1, 'must name an owner')
	.max(ownersMax, `must name at most ${ownersMax} owners`)
	.superRefine((owners, context) => {
		const known = new Set<string>();
		for (const [index, { memberId }] of owners.entries()) {
			if (memberId === null) continue;
			if (known.has(memberId))
				context.addIssue({ code: 'custom', path: [index, 'memberId'], message: 'is named twice' });
			known.add(memberId);
		}
		const problem = sharesProblem(owners.map(({ sharePercent }) => sharePercent));
		if (problem === 'NOT_WHOLE')
			context.addIssue({
				code: 'custom',
				message: 'must have shares that are 100 together',
				params: { code: 'INVALID_RANGE' },
			});
		if (problem === 'INCOMPLETE')
			for (const [index, { sharePercent }] of owners.entries())
				if (sharePercent === null)
					context.addIssue({
						code: 'custom',
						path: [index, 'sharePercent'],
						message: 'is required where another owner has a share',
						params: { code: 'REQUIRED' },
					});
	})
	.describe('All owners: members or external parties.');

export type OwnersBody = z.output<typeof ownersBody>;

const whole = 100_00;

/** A percentage in integer hundredths, which are added without floating-point errors. */
function hundredthsOf(percent: number): number {
	return Math.round(percent * 100);
}

export function hasTwoDecimals(percent: number): boolean {
	return hundredthsOf(percent) / 100 === percent;
}

/** The error of the shares of one period: either all or none must be set, and they must add up to 100 percent. */
export function sharesProblem(percents: readonly (number | null)[]): 'INCOMPLETE' | 'NOT_WHOLE' | undefined {
	const given = percents.filter((percent) => percent !== null);
	if (given.length === 0) return undefined;
	if (given.length < percents.length) return 'INCOMPLETE';
	const sum = given.reduce((total, percent) => total + hundredthsOf(percent), 0);
	return sum === whole ? undefined : 'NOT_WHOLE';
}
