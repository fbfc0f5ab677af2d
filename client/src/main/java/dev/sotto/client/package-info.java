/** Reads published models, checks them against their digest and ledger, and scores events with them. */
package dev.sotto.client;
