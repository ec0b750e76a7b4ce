import type { Logger } from '@paddock/telemetry';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import type { SignInSource } from '../sign-in/sign-in-subject.ts';
import { findTotp, useRecoveryCode, useTotpStep } from './store.ts';
import { stepOf, totpFormat } from './totp.ts';

type FactorDeps = Pick<AuthDeps, 'db' | 'secrets' | 'throttle' | 'now'>;

interface FactorClaim {
	readonly userId: string;
	readonly source: Extract<SignInSource, { kind: 'secondFactor' }>;
	readonly log: Logger;
}

/** The proof of a factor: the authentication methods (RFC 8176) that it adds; undefined if it is wrong. */
type Proof = () => Promise<readonly string[] | undefined>;

/**
 * Runs the proof of a second factor, throttled like passwords: guesses of codes would succeed at some time.
 * @throws ApiError SECOND_FACTOR_WRONG, the same for wrong, expired and used codes; RATE_LIMITED, ACCOUNT_LOCKED
 */
export async function proveFactor(
	{ throttle }: Pick<FactorDeps, 'throttle'>,
	{ userId, source, log }: FactorClaim,
	proof: Proof,
): Promise<readonly string[]> {
	const attempt = await throttle.admit(source);
	let methods: readonly string[] | undefined;
	try {
		methods = await proof();
	} catch (error) {
		await attempt.undecided().catch((cause: unknown) => {
			log.warn('an undecided second factor counts as failed', { error: cause });
		});
		throw error;
	}
	if (methods === undefined) {
		attempt.failed();
		log.info('second factor refused', { userId, address: source.address });
		throw authError('SECOND_FACTOR_WRONG');
	}
	await attempt.succeeded();
	return methods;
}

/** The proof by a code of the authenticator app, or by a recovery code; either is used by it. */
export function codeProof(deps: FactorDeps, { userId, log }: FactorClaim, code: string): Proof {
	const { db, secrets, now } = deps;
	return async () => {
		if (!totpFormat.test(code)) {
			if (!(await useRecoveryCode(db, userId, code, now()))) return undefined;
			log.warn('a recovery code was used', { userId });
			return ['otp', 'mfa'];
		}
		const totp = await findTotp(db, secrets, userId, 'enrolled');
		const step = totp && (await stepOf(code, totp, now()));
		if (totp === undefined || step === undefined) return undefined;
		return (await useTotpStep(db, { id: totp.id, step, at: now() })) ? ['otp', 'mfa'] : undefined;
	};
}
