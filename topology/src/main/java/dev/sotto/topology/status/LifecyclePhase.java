package dev.sotto.topology.status;

/** Where in its life a learner is. */
public enum LifecyclePhase {
  /** It checks the cluster and makes its topics. */
  STARTING,
  /** Tasks are being assigned, or their state restored. */
  RESTORING,
  /** All tasks of this instance are running. */
  RUNNING,
  /** It was asked to stop, and commits what it has. */
  STOPPING,
  /** It was stopped. */
  STOPPED,
  /** It has stopped by itself, or is about to; only a new start may help. */
  FAILED
}
