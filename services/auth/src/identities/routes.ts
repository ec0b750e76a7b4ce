import { randomBytes } from 'node:crypto';
import { ApiError } from '@paddock/contract';
import { type Route, redirection, redirectionSchema } from '@paddock/service';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { signInSchema } from '../sign-in/schemas.ts';
import { browserCookie, browserOf } from './browser-cookie.ts';
import { ProviderUnavailableError } from './identity-provider.ts';
import { deviceHeader, linkRoutes, providerOf, shared, signInErrors, write } from './link-routes.ts';
import { exchangeBody, providerSchema } from './schemas.ts';
import { signInIdentity } from './sign-in-identity.ts';
import { storeStep, takeStep } from './steps.ts';

const notConfigured = errorsNamed('OIDC_NOT_CONFIGURED');

const describeProvider = route({
	...shared,
	method: 'get',
	path: '/auth/oidc',
	operationId: 'getIdentityProvider',
	summary: 'The external identity provider with which accounts can sign in',
	output: providerSchema,
	message: 'Identity provider',
	handler: (_request, { identityProvider: provider }) => ({
		isAvailable: provider !== undefined,
		name: provider?.name ?? null,
		createsAccounts: provider?.createsAccounts ?? false,
	}),
});

const start = route({
	...shared,
	method: 'get',
	path: '/auth/oidc/start',
	operationId: 'startOidcSignIn',
	summary: 'Begin a sign-in with the identity provider',
	description:
		'For browsers: redirects to the provider, which redirects to the callback. A cookie binds the sign-in to the browser. If the provider does not respond, redirects to /app/sign-in with `error=OIDC_UNAVAILABLE`; other sign-ins are not affected.',
	output: redirectionSchema,
	status: 302,
	message: 'Continue at the identity provider',
	errors: notConfigured,
	handler: async ({ signal, now, log }, deps) => {
		const provider = providerOf(deps);
		try {
			const { url, state, ...content } = await provider.begin(signal);
			const browser = randomBytes(32).toString('base64url');
			await storeStep(deps, { kind: 'START', browser, content, token: state });
			const cookie = browserCookie(browser, provider.publicUrl);
			return redirection({ location: url, message: 'Continue at the identity provider', cookie, now });
		} catch (error) {
			if (!(error instanceof ProviderUnavailableError)) throw error;
			log.warn('a sign-in with the identity provider could not begin', { error });
			return toConsole(provider, { error: 'OIDC_UNAVAILABLE' }, now);
		}
	},
});

const callback = route({
	...shared,
	method: 'get',
	path: '/auth/oidc/callback',
	operationId: 'completeOidcSignIn',
	summary: 'The identity provider sends the browser here',
	description:
		'Redirects to /app/sign-in with `code`, for one POST /auth/oidc/exchange within a minute, or with `error`: OIDC_CODE_INVALID (unknown or used `state`, or another browser), OIDC_REFUSED (by the provider, or its response is not valid), OIDC_UNAVAILABLE. Parameters are those of the provider.',
	query: z.looseObject({}),
	output: redirectionSchema,
	status: 302,
	message: 'Continue at the console',
	errors: notConfigured,
	handler: async ({ query, headers, signal, now, log }, deps) => {
		const provider = providerOf(deps);
		const page = (result: Record<string, string>) => toConsole(provider, result, now);
		const parameters = parametersOf(query);
		const state = parameters.get('state') ?? '';
		const browser = browserOf(headers, provider.publicUrl);
		const checks = await takeStep(deps, { kind: 'START', token: state, browser }).catch(ifInvalid);
		if (checks === undefined || browser === undefined) return page({ error: 'OIDC_CODE_INVALID' });
		try {
			const identity = await provider.complete(parameters, { ...checks, state }, signal);
			return page({ code: await storeStep(deps, { kind: 'CODE', browser, content: identity }) });
		} catch (error) {
			log.warn('a response of the identity provider was refused', causeOf(error));
			const isOutage = error instanceof ProviderUnavailableError;
			return page({ error: isOutage ? 'OIDC_UNAVAILABLE' : 'OIDC_REFUSED' });
		}
	},
});

const exchange = route({
	...write,
	path: '/auth/oidc/exchange',
	operationId: 'exchangeOidcCode',
	summary: 'Sign in with a completed sign-in at the identity provider',
	description:
		'Like a sign-in with the password, whose second step follows in the same way. The first sign-in with an address that has an account is 403 `OIDC_LINK_REQUIRED`: its owner confirms with the password or by mail, so that nobody else who has the address at the provider gets the account. Without an account one is created if OIDC_REGISTRATION is on, else 403 `OIDC_ACCOUNT_UNKNOWN`.',
	headers: deviceHeader,
	body: exchangeBody,
	output: signInSchema,
	message: 'Signed in',
	errors: {
		...signInErrors,
		...errorsNamed('OIDC_LINK_REQUIRED', 'OIDC_ACCOUNT_UNKNOWN', 'OIDC_EMAIL_UNVERIFIED'),
	},
	handler: async (request, deps) => {
		const { publicUrl } = providerOf(deps);
		const browser = browserOf(request.headers, publicUrl);
		const identity = await takeStep(deps, { kind: 'CODE', token: request.body.code, browser });
		return signInIdentity(deps, { ...request, browser: browser ?? '' }, identity);
	},
});

/** Other failures, as of the database, are errors of this service. */
function ifInvalid(error: unknown): undefined {
	if (!(error instanceof ApiError && error.code === 'OIDC_CODE_INVALID')) throw error;
}

/** For the log: the causes of the library's errors hold the claims of the ID token. */
function causeOf(error: unknown): { readonly code: unknown; readonly reason: string } {
	const known = error instanceof ProviderUnavailableError ? error.cause : error;
	if (!(known instanceof Error)) return { code: undefined, reason: 'not an error' };
	return { code: (known as { readonly code?: unknown }).code, reason: known.message };
}

function parametersOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
	const texts = Object.entries(query).filter(
		(entry): entry is [string, string] => typeof entry[1] === 'string',
	);
	return new URLSearchParams(texts);
}

function toConsole(
	{ publicUrl }: { readonly publicUrl: string },
	result: Readonly<Record<string, string>>,
	now: Date,
) {
	const location = `${publicUrl}/app/sign-in?${new URLSearchParams(result)}`;
	return redirection({ location, message: 'Continue at the console', now });
}

export const identityRoutes: readonly Route<AuthDeps>[] = [
	describeProvider,
	start,
	callback,
	exchange,
	...linkRoutes,
];
