package dev.sotto.evaluation.audit.noise;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The binary tree in Fenwick order: node t covers the rounds (t - lowbit(t), t], so row t of C has
 * ones there, and two prefixes differ by exactly one node.
 */
record TreeMatrix() implements ReferenceMatrix {
  private record Dated(long round, double[] vector) {}

  @Override
  public Whitener whitener(int dimension) {
    return new Whitener() {
      private final Deque<Dated> prefixes = new ArrayDeque<>(); // at t, t less its lowest bit, ...
      private long round = 1;

      @Override
      public void white(double[] prefix, double[] into) {
        long before = round - Long.lowestOneBit(round);
        while (!prefixes.isEmpty() && prefixes.peek().round() > before) {
          prefixes.pop();
        }
        double[] base = prefixes.isEmpty() ? null : prefixes.peek().vector();
        for (int i = 0; i < dimension; i++) {
          into[i] = prefix[i] - (base == null ? 0 : base[i]);
        }
      }

      @Override
      public void advance(double[] prefix) {
        prefixes.push(new Dated(round, prefix.clone()));
        round++;
      }
    };
  }

  @Override
  public Colourer colourer(int dimension) {
    return new Colourer() {
      private final Deque<Dated> nodes = new ArrayDeque<>();
      private long round = 1;

      @Override
      public void colour(double[] white, double[] into) {
        dropCovered();
        for (int i = 0; i < dimension; i++) {
          into[i] = white[i];
          for (Dated node : nodes) {
            into[i] += node.vector()[i];
          }
        }
      }

      @Override
      public void advance(double[] white) {
        dropCovered();
        nodes.push(new Dated(round, white.clone()));
        round++;
      }

      private void dropCovered() {
        long covered = round - Long.lowestOneBit(round);
        while (!nodes.isEmpty() && nodes.peek().round() > covered) {
          nodes.pop();
        }
      }
    };
  }
}
