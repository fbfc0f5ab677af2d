/** The schema registry of events: asked over HTTP, or read from a file. */
package dev.sotto.topology.registry;
