import type { components, User } from '@paddock/client';
import { useSignal } from '@preact/signals';
import { h } from 'preact';
import { ConfirmLink, ExternalSignIn } from './external-sign-in.ts';
import { isCode } from './failures.ts';
import { CodeField, emailField, Field, Form, type Values } from './form.ts';
import { t } from './language.ts';
import { go, page } from './navigation.ts';
import { hasPasskeys, passkeyProof } from './passkeys.ts';
import { adopt, enter, notice, paddock } from './session.ts';
import { EnrolTotp, RecoveryCodes } from './totp.ts';

/** The second step of a sign-in. */
interface Challenge {
	readonly challengeToken: string;
	readonly kind: 'code' | 'enrolment';
	readonly methods: readonly string[];
}

/** The page of an account that was asked for is shown after the sign-in. */
function proceed(): void {
	if (page.value === 'sign-in') go('profile', { replace: true });
}

export function SignInPage() {
	const challenge = useSignal<Challenge | undefined>(undefined);
	const linkToken = useSignal('');
	const restart = (): void => {
		challenge.value = undefined;
	};
	/** Signs in, or begins the second step. @throws other failures */
	const complete = async (signIn: Promise<User>): Promise<undefined> => {
		try {
			enter(await signIn);
			proceed();
		} catch (error) {
			if (!isCode(error, 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_ENROLMENT_REQUIRED')) throw error;
			challenge.value = {
				challengeToken: String(error.data['challengeToken']),
				kind: error.code === 'SECOND_FACTOR_REQUIRED' ? 'code' : 'enrolment',
				methods: (error.data['methods'] as string[] | undefined) ?? [],
			};
		}
	};
	const signIn = ({ email = '', password = '' }: Values) => complete(paddock.signIn({ email, password }));
	const external = (issued: Promise<components['schemas']['SignIn']>) =>
		complete(
			issued.then((tokens) => {
				paddock.adopt(tokens);
				return tokens.user;
			}),
		);
	const current = challenge.value;
	if (current?.kind === 'code') return h(SecondStep, { ...current, restart });
	if (current?.kind === 'enrolment') return h(Enrolment, current);
	if (linkToken.value !== '') return h(ConfirmLink, { linkToken: linkToken.value, proceed: external });
	const confirmLink = (token: string): void => {
		linkToken.value = token;
	};
	return h(
		'div',
		{ class: 'stack' },
		notice.value && h('p', { class: 'note', role: 'status' }, t(notice.value)),
		h(
			Form,
			{ action: t('signIn'), submit: signIn },
			h(Field, { ...emailField, label: t('email') }),
			h(Field, {
				...{ name: 'password', type: 'password', autocomplete: 'current-password', required: true },
				label: t('password'),
			}),
		),
		h(ExternalSignIn, { proceed: external, confirmLink }),
		h(
			'ul',
			{ class: 'links' },
			h('li', {}, h('a', { href: '/app/forgot-password' }, t('forgotPassword'))),
			h('li', {}, h('a', { href: '/app/register' }, t('register'))),
		),
	);
}

function SecondStep({ challengeToken, methods, restart }: Challenge & { readonly restart: () => void }) {
	const withCode = async ({ code = '' }: Values): Promise<undefined> => {
		adopt(await paddock.post('/auth/login/second-factor', { body: { challengeToken, code } }));
		proceed();
	};
	const withPasskey = async (): Promise<undefined> => {
		const options = await paddock.post('/auth/login/passkey-options', { body: { challengeToken } });
		const credential = await passkeyProof(options);
		adopt(await paddock.post('/auth/login/passkey', { body: { challengeToken, credential } }));
		proceed();
	};
	const again = h('button', { type: 'button', class: 'button', onClick: restart }, t('back'));
	return h(
		'div',
		{ class: 'stack' },
		h('h2', {}, t('secondFactor')),
		methods.includes('PASSKEY') && hasPasskeys && h(Form, { action: t('usePasskey'), submit: withPasskey }),
		h(
			Form,
			{ action: t('signIn'), submit: withCode, beside: again, clears: true },
			h(CodeField, { hint: t('codeHint') }),
		),
	);
}

/** The account must have a second factor and has none: the sign-in enrols one. */
function Enrolment({ challengeToken }: Challenge) {
	const enrolled = useSignal<components['schemas']['EnrolledSignIn'] | undefined>(undefined);
	if (enrolled.value !== undefined) {
		const { recoveryCodes, ...issued } = enrolled.value;
		const finish = (): void => {
			adopt(issued);
			proceed();
		};
		return h(
			'div',
			{ class: 'stack' },
			h(RecoveryCodes, { codes: recoveryCodes }),
			h('button', { type: 'button', class: 'button primary', onClick: finish }, t('codesStored')),
		);
	}
	const confirm = async (code: string): Promise<void> => {
		enrolled.value = await paddock.post('/auth/login/enrolment/confirm', { body: { challengeToken, code } });
	};
	return h(
		'div',
		{ class: 'stack' },
		h('p', { class: 'note' }, t('factorRequired')),
		h(EnrolTotp, {
			begin: () => paddock.post('/auth/login/enrolment', { body: { challengeToken } }),
			confirm,
		}),
	);
}
