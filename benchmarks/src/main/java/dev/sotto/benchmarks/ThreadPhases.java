package dev.sotto.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the stream thread is doing by the wall clock, waiting included: its stack, looked at every
 * few milliseconds. Coarse, since a thread shows its stack only at certain points.
 */
final class ThreadPhases implements AutoCloseable {
  private static final long EVERY_MILLIS = 3;

  /** The first method that is on the stack names the phase. */
  private static final Map<String, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put("SlotTrainer.close", "close a round");
    NAMES.put("ExampleCodec.decode", "decode an example");
    NAMES.put("ModelLearner.fill", "learn an example");
    NAMES.put("TrainerProcessor.process", "trainer, the rest");
    NAMES.put("TaskManager.commit", "commit");
    NAMES.put("StreamThread.maybeCommit", "commit");
    NAMES.put("StreamThread.pollPhase", "poll");
    NAMES.put("TaskManager.process", "Streams: process");
  }

  private final Map<String, Integer> counts;
  private final Thread sampler = new Thread(this::sample, "phases");
  private volatile boolean done;

  /** Counts into a map until it is closed. */
  ThreadPhases(Map<String, Integer> counts) {
    this.counts = counts;
    sampler.setDaemon(true);
    sampler.start();
  }

  private void sample() {
    try {
      Thread watched = null;
      while (!done) {
        if (watched == null || !watched.isAlive()) {
          watched = find();
        } else {
          count(watched.getStackTrace());
        }
        Thread.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException stop) {
      // the end
    }
  }

  private static Thread find() {
    Thread[] all = new Thread[1000];
    int found = Thread.enumerate(all);
    for (int i = 0; i < found; i++) {
      if (all[i].getName().matches(".*-StreamThread-\\d+")) {
        return all[i];
      }
    }
    return null;
  }

  private void count(StackTraceElement[] stack) {
    String phase = "Streams: rest";
    search:
    for (var name : NAMES.entrySet()) {
      for (StackTraceElement frame : stack) {
        String type = frame.getClassName();
        String method = type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
        if (method.equals(name.getKey())) {
          phase = name.getValue();
          break search;
        }
      }
    }
    counts.merge(phase, 1, Integer::sum);
  }

  @Override
  public void close() {
    done = true;
    try {
      sampler.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
