import { apiError } from '@paddock/contract';
import { hasRecentSecondFactor, type Principal } from '@paddock/identity';
import type { AuthQueryable } from '../database-schema.ts';
import type { User } from '../users/store.ts';
import { hasSecondFactor } from './store.ts';

/** OWASP ASVS 5 §7.5.3: sensitive changes need a recent authentication. */
const stepUpMaxAgeMs = 10 * 60_000;

/** REQUIRE_MFA: whether accounts with these roles must have a second factor. */
export type MfaRequirement = (user: Pick<User, 'roles'>) => boolean;

export interface StepUpDeps {
	readonly db: AuthQueryable;
	readonly isMfaRequired: MfaRequirement;
	readonly now: () => Date;
}

/**
 * Whether the token suffices for sensitive operations: it shows a recent second factor, or the account neither has nor
 * needs one.
 */
export async function isSteppedUp(deps: StepUpDeps, user: User, principal: Principal): Promise<boolean> {
	if (hasRecentSecondFactor(principal, deps.now(), stepUpMaxAgeMs)) return true;
	return !deps.isMfaRequired(user) && !(await hasSecondFactor(deps.db, user.id));
}

/** @throws ApiError STEP_UP_REQUIRED */
export async function requireStepUp(deps: StepUpDeps, user: User, principal: Principal): Promise<void> {
	if (!(await isSteppedUp(deps, user, principal))) throw stepUpRequired();
}

/**
 * For the enrolment of a factor: a recent second factor or, without one, a recent password. Otherwise a stolen access token
 * would suffice to lock the owner out. @throws ApiError STEP_UP_REQUIRED
 */
export async function requireRecentAuthentication(
	deps: StepUpDeps,
	user: User,
	principal: Principal,
): Promise<void> {
	if (await hasSecondFactor(deps.db, user.id)) return requireStepUp(deps, user, principal);
	const ageMs = deps.now().getTime() - principal.authenticatedAt.getTime();
	if (ageMs <= stepUpMaxAgeMs) return;
	throw stepUpRequired(
		'Confirm your password with POST /auth/step-up/password, then repeat the request with the new access token.',
	);
}

export function stepUpRequired(message?: string) {
	const context = { maxAgeSeconds: stepUpMaxAgeMs / 1_000 };
	return apiError('STEP_UP_REQUIRED', { context, ...(message === undefined ? {} : { message }) });
}
