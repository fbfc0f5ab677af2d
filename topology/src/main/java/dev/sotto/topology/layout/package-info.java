/** What each layout is made of: its topics, and the processors between them. */
package dev.sotto.topology.layout;
