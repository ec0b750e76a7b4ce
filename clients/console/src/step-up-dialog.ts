import { signal } from '@preact/signals';
import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isCode } from './failures.ts';
import { CodeField, Field, Form, type Values } from './form.ts';
import { t } from './language.ts';
import { hasPasskeys, passkeyProof } from './passkeys.ts';
import { paddock } from './session.ts';

interface Request {
	readonly methods: readonly ('TOTP' | 'PASSKEY' | 'PASSWORD')[];
	readonly settle: (isConfirmed: boolean) => void;
}

const requested = signal<Request | undefined>(undefined);

/**
 * Runs `work`; if it needs a recent confirmation, asks for it in a dialog and runs `work` again.
 * @throws the failure of `work`, also if the user cancels the dialog
 */
export async function withStepUp<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (!isCode(error, 'STEP_UP_REQUIRED')) throw error;
		const { factors } = await paddock.get('/auth/second-factors');
		const kinds = [...new Set(factors.map(({ kind }) => kind))] as Request['methods'];
		const methods = kinds.length === 0 ? (['PASSWORD'] as const) : kinds;
		const isConfirmed = await new Promise<boolean>((settle) => {
			requested.value = { methods, settle };
		});
		requested.value = undefined;
		if (!isConfirmed) throw error;
		return await work();
	}
}

/** Asks for the second factor, or for the password if there is none. */
export function StepUpDialog() {
	const dialog = useRef<HTMLDialogElement>(null);
	const request = requested.value;
	useEffect(() => {
		if (request !== undefined) dialog.current?.showModal();
	}, [request]);
	if (request === undefined) return null;
	const { methods, settle } = request;
	const confirmed = async (issued: Promise<Parameters<typeof paddock.adopt>[0]>): Promise<undefined> => {
		paddock.adopt(await issued);
		settle(true);
	};
	const withCode = ({ code = '' }: Values) => confirmed(paddock.post('/auth/step-up', { body: { code } }));
	const withPassword = ({ password = '' }: Values) =>
		confirmed(paddock.post('/auth/step-up/password', { body: { password } }));
	const withPasskey = async (): Promise<undefined> => {
		const credential = await passkeyProof(await paddock.post('/auth/step-up/passkey-options'));
		return confirmed(paddock.post('/auth/step-up/passkey', { body: { credential } }));
	};
	const cancel = h('button', { type: 'button', class: 'button', onClick: () => settle(false) }, t('cancel'));
	const hasPassword = methods.includes('PASSWORD');
	return h(
		'dialog',
		{ class: 'dialog', ref: dialog, 'aria-labelledby': 'step-up-title', onCancel: () => settle(false) },
		h(
			'div',
			{ class: 'stack' },
			h('h2', { id: 'step-up-title' }, t('confirmYou')),
			h('p', {}, hasPassword ? t('confirmPasswordText') : t('confirmFactorText')),
			methods.includes('PASSKEY') && hasPasskeys && h(Form, { action: t('usePasskey'), submit: withPasskey }),
			hasPassword
				? h(
						Form,
						{ action: t('confirm'), submit: withPassword, beside: cancel },
						h(Field, {
							...{ name: 'password', type: 'password', autocomplete: 'current-password', required: true },
							label: t('password'),
						}),
					)
				: h(
						Form,
						{ action: t('confirm'), submit: withCode, beside: cancel },
						h(CodeField, { hint: t('codeHint') }),
					),
		),
	);
}
