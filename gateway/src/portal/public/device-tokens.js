const storageKey = 'paddock.deviceTokens';
// A browser in an office is used by several people.
const accountsMax = 20;

/**
 * The device token of the last sign-in to this account on this browser, or undefined. It outlives the tab: with it a
 * lock that strangers cause doesn't concern this browser. It opens nothing by itself.
 */
export function knownDeviceToken(email) {
	return stored().find(([account]) => account === accountOf(email))?.[1];
}

/** Keeps the device token of a sign-in; beyond `accountsMax` the account that signed in longest ago is dropped. */
export function keepDeviceToken(email, deviceToken) {
	const others = stored().filter(([account]) => account !== accountOf(email));
	try {
		const kept = [[accountOf(email), deviceToken], ...others].slice(0, accountsMax);
		localStorage.setItem(storageKey, JSON.stringify(kept));
	} catch {
		// Storage is switched off or full: this browser stays unknown.
	}
}

function accountOf(email) {
	return email.trim().toLowerCase();
}

function stored() {
	try {
		const entries = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
		return Array.isArray(entries) ? entries.filter(Array.isArray) : [];
	} catch {
		return []; // Switched off, or not ours.
	}
}
