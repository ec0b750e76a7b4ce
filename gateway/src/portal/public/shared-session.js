const name = 'paddock.session';

/**
 * The session that all pages of this origin share: the storage of the tab keeps it from page to page, a channel hands it to other
 * tabs. With the last tab it is gone. `onChange` receives it, or undefined, whenever another tab has changed it, and once at the
 * start if there is one.
 */
export function createSharedSession(onChange) {
	const channel = new BroadcastChannel(name);
	let current = { at: 0, ...stored() };

	channel.addEventListener('message', ({ data }) => {
		if (data.isRequest) {
			if (current.session !== undefined) channel.postMessage(current);
		} else if (data.at > current.at) {
			keep(data);
			onChange(current.session);
		}
	});
	// A page that the browser shows again as it was has missed what happened since.
	addEventListener('pageshow', ({ persisted }) => {
		if (persisted) channel.postMessage({ isRequest: true });
	});
	channel.postMessage({ isRequest: true });
	queueMicrotask(() => {
		if (current.session !== undefined) onChange(current.session);
	});

	function keep(next) {
		current = next;
		try {
			sessionStorage.setItem(name, JSON.stringify(next));
		} catch {
			// Storage is switched off or full: the session ends with this page.
		}
	}

	return {
		get: () => current.session,
		/** Undefined ends it, in all tabs. */
		set: (session) => {
			keep({ session, at: Math.max(Date.now(), current.at + 1) });
			channel.postMessage(current);
		},
		/** Runs `task` while no other tab runs one; without https browsers have no locks. */
		alone: (task) => (navigator.locks === undefined ? task() : navigator.locks.request(name, task)),
	};
}

function stored() {
	try {
		return JSON.parse(sessionStorage.getItem(name) ?? '{}');
	} catch {
		return {}; // Switched off, or not ours.
	}
}
