package dev.sotto.topology.status;

/**
 * One stream thread.
 *
 * @param name of the Java thread
 * @param state in Streams' words: RUNNING, PARTITIONS_ASSIGNED and so on
 * @param activeTasks that it runs or restores
 * @param standbyTasks whose state it keeps warm
 */
public record ThreadStatus(String name, String state, int activeTasks, int standbyTasks) {}
