/** Schemas that records name by a registry's ids. */
package dev.sotto.serdes.registry;
