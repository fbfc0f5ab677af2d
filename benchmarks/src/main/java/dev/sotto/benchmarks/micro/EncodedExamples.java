package dev.sotto.benchmarks.micro;

import dev.sotto.serdes.record.ExampleCodec;
import java.util.SplittableRandom;

/** Encoded examples by name: {@code dense16}, or {@code sparse20of262144}. */
final class EncodedExamples {
  private static final int BEFORE_COUNT = "sparse".length();

  final int dimension;
  final byte[] bytes;

  EncodedExamples(String name) {
    var random = new SplittableRandom(1);
    if (name.startsWith("dense")) {
      dimension = Integer.parseInt(name.substring("dense".length()));
      double[] values = random.doubles(dimension, -1, 1).map(x -> x / dimension).toArray();
      bytes = ExampleCodec.encodeDense(null, null, values, 1, 1);
    } else {
      int of = name.indexOf("of");
      int count = Integer.parseInt(name.substring(BEFORE_COUNT, of));
      dimension = Integer.parseInt(name.substring(of + 2));
      double[] values = random.doubles(count, -1, 1).map(x -> x / count).toArray();
      int[] indices = random.ints(0, dimension).distinct().limit(count).sorted().toArray();
      bytes = ExampleCodec.encodeSparse(null, null, indices, values, 1, 1);
    }
  }
}
