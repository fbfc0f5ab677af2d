/**
 * Reads published models, checks them against their digest and ledger, and scores events with them.
 * Start with {@link dev.sotto.client.LiveModel}.
 */
package dev.sotto.client;
