package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.WindowTree;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A separate, simple learner with windows, with one fault. It asks at the points of {@link
 * FixedPoints}, and keeps every leaf.
 */
public record FaultyWindowLearner(WindowFault fault) implements AuditSubject {
  private static final double STEEPER = 16;

  @Override
  public String name() {
    return "a learner with windows by hand, fault: " + fault.label();
  }

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    return new ByHand(fault, plan, identity, window);
  }

  private static final class ByHand implements Run {
    private final WindowFault fault;
    private final Objective objective;
    private final GradientsByHand gradients;
    private final WindowTree tree;
    private final QuerySchedule schedule;
    private final double sigma;
    private final Window window;
    private final byte[] secret;
    private final double[] sum; // of the open query
    private List<double[]> leaves = new ArrayList<>(); // of the open block
    private List<byte[]> histories = new ArrayList<>(); // with each leaf
    private byte[] history = new byte[32];
    private byte[] content = new byte[32];
    private long filled;
    private long draws;
    private List<double[]> markedLeaves;
    private List<byte[]> markedHistories;
    private byte[] markedHistory;

    ByHand(WindowFault fault, Plan plan, Identity identity, Window window) {
      this.fault = fault;
      this.objective = plan.objective();
      this.gradients =
          new GradientsByHand(plan.loss(), plan.clip(), plan.optimizer().clips(1));
      this.tree = (WindowTree) plan.mechanism();
      this.schedule = plan.block();
      this.sigma = plan.sigma();
      this.window = window;
      this.secret =
          SeedHash.of(identity.secret(), identity.model().getBytes(StandardCharsets.UTF_8));
      this.sum = new double[plan.dimension()];
    }

    private int number() {
      return leaves.size() + 1;
    }

    @Override
    public long nextSlot() {
      return schedule.query(number()).first() + filled;
    }

    @Override
    public void fill(Slot slot) {
      filled++;
      ModelLearner.admit(slot, objective);
      content = SeedHash.of(content, FaultyBlockLearner.bytes(slot));
      if (slot.status() != RecordStatus.USED) {
        return;
      }
      Example example = slot.example();
      double longer = fault == WindowFault.SMOOTHNESS_FORGOTTEN ? STEEPER : 1;
      double factor = gradients.factor(example, number(), longer);
      for (int i = 0; i < example.size() && example.norm() > 0; i++) {
        sum[example.index(i)] += factor * example.value(i);
      }
    }

    @Override
    public void close(double[] into) {
      history = SeedHash.of(history, content, SeedHash.of(number()));
      leaves.add(sum.clone());
      histories.add(history);
      Arrays.fill(sum, 0);
      content = new byte[32];
      filled = 0;
      draws++;
      double[] answer = new double[sum.length];
      addNodes(answer);
      System.arraycopy(answer, window.from(), into, 0, window.count());
      if (leaves.size() == tree.leaves()) {
        leaves = new ArrayList<>();
        histories = new ArrayList<>();
      }
    }

    /** Adds the nodes of the last window, from its first leaf on, each as long as it may be. */
    private void addNodes(double[] answer) {
      int n = tree.batches();
      boolean first = leaves.size() <= n;
      int before = first ? 0 : n;
      int last = leaves.size() - before;
      for (int at = Math.max(1, last - n + 1); at <= last; ) {
        int length = Integer.highestOneBit(Math.min(n, last - at + 1));
        while ((at - 1) % length != 0) {
          length /= 2;
        }
        for (int leaf = before + at; leaf < before + at + length; leaf++) {
          add(leaves.get(leaf - 1), answer);
        }
        addNoise(first, before + at + length - 1, length, answer);
        at += length;
      }
    }

    private static void add(double[] leaf, double[] into) {
      for (int i = 0; i < into.length; i++) {
        into[i] += leaf[i];
      }
    }

    private void addNoise(boolean first, int end, int length, double[] answer) {
      if (fault == WindowFault.LEAF_WITHOUT_NOISE && length == 1) {
        return;
      }
      double deviation = sigma * tree.nodeNoise(first || fault == WindowFault.NOISE_OF_FIRST_PASS);
      byte[] seed = SeedHash.of(
          secret,
          histories.get(end - 1),
          SeedHash.of(length),
          SeedHash.of(fault == WindowFault.NOISE_AFRESH ? draws : 0));
      SplittableRandom random = Seed.splittable(ByteBuffer.wrap(seed).getLong());
      for (int i = 0; i < answer.length; i++) {
        answer[i] += deviation * random.nextGaussian();
      }
    }

    @Override
    public void mark() {
      markedLeaves = new ArrayList<>(leaves);
      markedHistories = new ArrayList<>(histories);
      markedHistory = history;
    }

    @Override
    public void reset() {
      leaves = new ArrayList<>(markedLeaves);
      histories = new ArrayList<>(markedHistories);
      history = markedHistory;
      Arrays.fill(sum, 0);
      content = new byte[32];
      filled = 0;
    }
  }
}
