/** Settings of cheap password hashes; each sign-in would otherwise take about 30 ms of processor time. */
export const cheapHashes = { PASSWORD_HASH_MEMORY_KIB: '64', PASSWORD_HASH_PASSES: '1' };
/** Settings of the password hashes of a deployment; for tests of their cost. */
export const usualHashes = { PASSWORD_HASH_MEMORY_KIB: '19456', PASSWORD_HASH_PASSES: '2' };
