package dev.sotto.benchmarks.micro;

import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one prediction costs a user of the client: of vectors of 64 features, and of an event of ten
 * numbers and ten categories.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Scores {
  private static final int FEATURES = 64;
  private static final int SPARSE = 20;
  private static final int FIELDS = 20;

  private final double[] dense = new double[FEATURES];
  private final int[] indices = new int[SPARSE];
  private final double[] values = new double[SPARSE];
  private final Map<String, Object> map = new HashMap<>();
  private byte[] json;
  private Scorer vectors;
  private Scorer events;

  /** Makes two models, and what they score. */
  @Setup
  public void prepare() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < FEATURES; i++) {
      dense[i] = random.nextDouble(-1, 1) / FEATURES;
    }
    for (int i = 0; i < SPARSE; i++) {
      indices[i] = 3 * i;
      values[i] = random.nextDouble(-1, 1) / SPARSE;
    }
    vectors = scorer("examples 1\ndimension 64\nunit none\nmax-bytes 1048576\n", FEATURES);
    FeatureMapBuilder features =
        FeatureMap.builder().hashBits(16).label("label", new LabelRule.AsItIs());
    StringBuilder object = new StringBuilder("{");
    for (int i = 0; i < FIELDS; i++) {
      String name = "field" + i;
      object.append(i == 0 ? "" : ",").append('"').append(name).append("\":");
      if (i % 2 == 0) {
        double value = random.nextDouble(-120, 120);
        features.numeric(name, name, -100, 100, Transform.IDENTITY, false);
        object.append(value);
        map.put(name, value);
      } else {
        String value = "value-" + random.nextInt(1000);
        features.categorical(name, name, false);
        object.append('"').append(value).append('"');
        map.put(name, value);
      }
    }
    json = object.append('}').toString().getBytes(StandardCharsets.UTF_8);
    FeatureMap made = features.build();
    events = scorer(made.describe() + "events json\nmax-bytes 1048576\n", made.dimension());
  }

  private static Scorer scorer(String features, int dimension) {
    double[] weights = new SplittableRandom(2).doubles(dimension, -1, 1).toArray();
    Guarantee guarantee =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "any", 0.3, 0.4, 1e-6);
    return ScoringModel.of(new PublishedModel(
            new ModelSnapshot(
                "model",
                new byte[16],
                0,
                1,
                dimension,
                1,
                ModelSnapshot.digest(weights, guarantee),
                features,
                "logistic",
                "private-ftrl",
                false,
                guarantee,
                new byte[32],
                List.of(),
                new byte[32]),
            weights))
        .scorer();
  }

  /** 64 coordinates. */
  @Benchmark
  public double scoreDense() {
    return vectors.score(dense);
  }

  /** 20 of 64 coordinates. */
  @Benchmark
  public double scoreSparse() {
    return vectors.score(indices, values);
  }

  /** 20 fields in JSON, decoded and scored. */
  @Benchmark
  public RecordStatus scoreJson() {
    return events.score(json);
  }

  /** The same 20 fields as a map. */
  @Benchmark
  public RecordStatus scoreMap() {
    return events.score(map);
  }
}
