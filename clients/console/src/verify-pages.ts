import { useSignal } from '@preact/signals';
import { h } from 'preact';
import { Form } from './form.ts';
import { t } from './language.ts';
import { mailToken } from './navigation.ts';
import { leaveWith, paddock, renew, state } from './session.ts';

// A button, and not the visit itself: programs that check mails open the links in them, and a token is for one use.
export function VerifyPage() {
	const verified = useSignal('');
	const verify = async (): Promise<undefined> => {
		const { email } = await paddock.post('/auth/verify-email', { body: { token: mailToken.value } });
		try {
			// The session, if there is one, has more rights now, which the next page shows.
			if (state.value === 'in') await renew();
		} finally {
			mailToken.value = '';
			verified.value = email;
		}
	};
	if (verified.value !== '' && mailToken.value === '')
		return h(
			'div',
			{ class: 'stack' },
			h('p', { class: 'note', role: 'status' }, t('verified', verified.value)),
			h('p', {}, h('a', { class: 'button primary', href: '/app' }, t('continue'))),
		);
	if (mailToken.value === '') return h(LinkIncomplete, {});
	return h(
		'div',
		{ class: 'stack' },
		h('p', {}, t('verifyText')),
		h(Form, { action: t('verifyAddress'), submit: verify }),
	);
}

export function ChangeEmailPage() {
	const waits = useSignal(false);
	const isChanged = useSignal(false);
	const confirm = async (): Promise<undefined> => {
		const body = { token: mailToken.value };
		// Only leaving is repeated if it has failed: the token is for one use.
		if (!isChanged.value)
			isChanged.value = (await paddock.post('/auth/confirm-email-change', { body })).changed;
		if (isChanged.value) await leaveWith('addressChanged');
		else waits.value = true;
		mailToken.value = '';
	};
	// The other link may be opened in the same tab.
	if (waits.value && mailToken.value === '')
		return h('p', { class: 'note', role: 'status' }, t('confirmOther'));
	if (mailToken.value === '') return h(LinkIncomplete, {});
	return h(
		'div',
		{ class: 'stack' },
		h('p', {}, t('changeAddressText')),
		h(Form, { action: t('confirm'), submit: confirm }),
	);
}

/** For a page of a mail without its token. */
export function LinkIncomplete() {
	return h('p', { class: 'note', 'data-error': true, role: 'alert' }, t('linkIncomplete'));
}
