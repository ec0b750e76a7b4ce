import type { components } from '@paddock/client';
import { signal, useSignal } from '@preact/signals';
import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { failureText } from './failures.ts';
import { Field, Form, type Values } from './form.ts';
import { isText, t } from './language.ts';
import { mailToken } from './navigation.ts';
import { paddock } from './session.ts';
import { LinkIncomplete } from './verify-pages.ts';

type SignIn = components['schemas']['SignIn'];

/** What the identity provider's redirection to the sign-in page says. It is read once and leaves the address. */
const returned = signal(takeResult());

function takeResult(): { readonly code?: string; readonly error?: string } {
	const query = new URLSearchParams(location.search);
	const [code, error] = [query.get('code'), query.get('error')];
	if (location.pathname !== '/app/sign-in' || (code === null && error === null)) return {};
	history.replaceState(null, '', location.pathname);
	return { ...(code && { code }), ...(error && { error }) };
}

interface ExternalProps {
	/** Continues with the tokens, or with the second step that a failure requires. @throws other failures */
	readonly proceed: (signIn: Promise<SignIn>) => Promise<undefined>;
	/** The account with the address must be confirmed as the caller's. */
	readonly confirmLink: (linkToken: string) => void;
}

/** The button of the identity provider, if there is one, and what it has sent back. */
export function ExternalSignIn({ proceed, confirmLink }: ExternalProps) {
	const provider = useSignal<string | undefined>(undefined);
	const failed = useSignal('');
	const finish = async (code: string): Promise<void> => {
		try {
			await proceed(paddock.post('/auth/oidc/exchange', { body: { code } }));
		} catch (error) {
			const linkToken = (error as { readonly data?: Record<string, unknown> }).data?.['linkToken'];
			if (typeof linkToken === 'string') confirmLink(linkToken);
			else failed.value = failureText(error);
		}
	};
	useEffect(() => {
		const { code, error } = returned.value;
		returned.value = {};
		if (code !== undefined) void finish(code);
		const key = `error.${error}`;
		if (error !== undefined) failed.value = isText(key) ? t(key) : t('unexpected');
		paddock.get('/auth/oidc').then(
			({ isAvailable, name }) => {
				if (isAvailable) provider.value = name ?? t('identityProvider');
			},
			// The password signs in without it.
			() => undefined,
		);
	}, []);
	return h(
		'div',
		{ class: 'stack', hidden: provider.value === undefined && failed.value === '' },
		failed.value !== '' && h('p', { class: 'note', 'data-error': true, role: 'alert' }, failed.value),
		provider.value !== undefined &&
			h('p', {}, h('a', { class: 'button', href: '/auth/oidc/start' }, t('signInWith', provider.value))),
	);
}

interface LinkProps {
	readonly linkToken: string;
	readonly proceed: ExternalProps['proceed'];
}

/** The first sign-in with the identity provider to an account: by its password, or by a mail. */
export function ConfirmLink({ linkToken, proceed }: LinkProps) {
	const withPassword = ({ password = '' }: Values) =>
		proceed(paddock.post('/auth/oidc/link', { body: { linkToken, password } }));
	const byMail = async () => {
		const { email } = await paddock.post('/auth/oidc/link/mail', { body: { linkToken } });
		return t('mailSent', email);
	};
	return h(
		'div',
		{ class: 'stack' },
		h('p', { class: 'note' }, t('linkIdentityText')),
		h(
			Form,
			{ action: t('signIn'), submit: withPassword },
			h(Field, {
				...{ name: 'password', type: 'password', autocomplete: 'current-password', required: true },
				label: t('password'),
			}),
		),
		h(Form, { action: t('confirmByMail'), submit: byMail, kind: 'quiet' }),
	);
}

/** The page of the mail. */
export function LinkIdentityPage() {
	const linked = useSignal(false);
	const confirm = async (): Promise<undefined> => {
		await paddock.post('/auth/oidc/link/confirm', { body: { token: mailToken.value } });
		mailToken.value = '';
		linked.value = true;
	};
	if (linked.value && mailToken.value === '')
		return h(
			'div',
			{ class: 'stack' },
			h('p', { class: 'note', role: 'status' }, t('identityLinked')),
			h('p', {}, h('a', { class: 'button primary', href: '/auth/oidc/start' }, t('signIn'))),
		);
	if (mailToken.value === '') return h(LinkIncomplete, {});
	return h(
		'div',
		{ class: 'stack' },
		h('p', {}, t('linkIdentityConfirm')),
		h(Form, { action: t('confirm'), submit: confirm }),
	);
}
