import { hash, randomBytes } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { AuthQueryable, AuthSchema } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import type { AuthorisationChecks, ExternalIdentity } from './identity-provider.ts';

const minuteMs = 60_000;

/** What each step of a sign-in with the identity provider needs, and for how long it is valid. */
interface Steps {
	/** Until the provider sends the browser back. The token is the `state`. */
	START: Omit<AuthorisationChecks, 'state'>;
	/** Until the console exchanges its code for our tokens. */
	CODE: ExternalIdentity;
	/** Until the owner of the account with this address confirms. */
	LINK: { readonly userId: string; readonly identity: ExternalIdentity };
}

type StepKind = keyof Steps;

export const stepLivesMs = { START: 10 * minuteMs, CODE: minuteMs, LINK: 10 * minuteMs } as const;

type StepDeps = Pick<AuthDeps, 'db' | 'secrets' | 'now'>;

/**
 * Stores a step, for this browser only: with a response of an attacker's own sign-in another browser would otherwise be signed
 * in to the attacker's account (RFC 6749 §10.12).
 * @param token a new one by default
 */
export async function storeStep<Kind extends StepKind>(
	{ db, secrets, now }: StepDeps,
	step: {
		readonly kind: Kind;
		readonly browser: string;
		readonly content: Steps[Kind];
		readonly token?: string;
	},
): Promise<string> {
	const { kind, browser, content, token = randomBytes(32).toString('base64url') } = step;
	const tokenHash = digest(token);
	await db
		.insertInto('oidcSteps')
		.values({
			tokenHash,
			kind,
			browserHash: digest(browser),
			content: secrets.seal(JSON.stringify(content), ownerOf(tokenHash)),
			expiresAt: new Date(now().getTime() + stepLivesMs[kind]),
		})
		.execute();
	return token;
}

interface StepClaim<Kind extends StepKind> {
	readonly kind: Kind;
	readonly token: string;
	/** The value of the browser's cookie; undefined without one. */
	readonly browser: string | undefined;
}

/** Uses a step. Of concurrent uses one succeeds. @throws ApiError OIDC_CODE_INVALID, the same for every cause */
export async function takeStep<Kind extends StepKind>(
	deps: StepDeps,
	claim: StepClaim<Kind>,
): Promise<Steps[Kind]> {
	const taken = deps.db.deleteFrom('oidcSteps').where(isStep(claim, deps.now())).returning('content');
	return contentOf(deps, claim.token, await taken.executeTakeFirst());
}

/** A step that stays valid. @throws ApiError OIDC_CODE_INVALID */
export async function readStep<Kind extends StepKind>(
	deps: StepDeps,
	claim: StepClaim<Kind>,
): Promise<Steps[Kind]> {
	const step = deps.db.selectFrom('oidcSteps').where(isStep(claim, deps.now())).select('content');
	return contentOf(deps, claim.token, await step.executeTakeFirst());
}

function isStep({ kind, token, browser }: StepClaim<StepKind>, now: Date) {
	if (browser === undefined) throw authError('OIDC_CODE_INVALID');
	return ({ and, eb }: ExpressionBuilder<AuthSchema, 'oidcSteps'>) =>
		and([
			eb('tokenHash', '=', digest(token)),
			eb('kind', '=', kind),
			eb('browserHash', '=', digest(browser)),
			eb('expiresAt', '>', now),
		]);
}

function contentOf<Content>(
	{ secrets }: StepDeps,
	token: string,
	row: { readonly content: string } | undefined,
): Content {
	if (row === undefined) throw authError('OIDC_CODE_INVALID');
	return JSON.parse(secrets.open(row.content, ownerOf(digest(token)))) as Content;
}

export async function deleteExpiredSteps(db: AuthQueryable, now: Date): Promise<void> {
	await db.deleteFrom('oidcSteps').where('expiresAt', '<=', now).execute();
}

/** Lookup by digest leaks nothing about the token through timing. */
export function digest(token: string): Buffer {
	return hash('sha256', token, 'buffer');
}

function ownerOf(tokenHash: Buffer): string {
	return `oidc_steps/${tokenHash.toString('base64url')}`;
}
