/**
 * Encryption at rest: what stores and internal topics hold is raw or nearly raw data (privacy.md
 * section 7). Read {@link dev.sotto.topology.encryption.Encryption} first.
 */
package dev.sotto.topology.encryption;
