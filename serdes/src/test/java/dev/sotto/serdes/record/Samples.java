package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.VersionState;
import dev.sotto.serdes.avro.PackedDoubles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random records; the same seed gives the same record on every machine. */
public final class Samples {
  /** One kind of record: its schema's name, its codec and a source of samples. */
  public record Kind<T>(String name, RecordCodec<T> codec, Function<Random, T> sample) {
    public byte[] bytes(Random random) {
      return codec.encode(sample.apply(random));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private Samples() {}

  public static List<Kind<?>> kinds() {
    return List.of(
        new Kind<>("LedgerEntry", Codecs.LEDGER, Samples::ledgerEntry),
        new Kind<>("ModelSnapshot", Codecs.SNAPSHOT, Samples::modelSnapshot),
        new Kind<>("WeightsChunk", Codecs.CHUNK, Samples::weightsChunk),
        new Kind<>("PartitionHead", Codecs.PARTITION_HEAD, Samples::partitionHead),
        new Kind<>("Announcement", Codecs.ANNOUNCEMENT, Samples::announcement),
        new Kind<>("ModelHead", Codecs.MODEL_HEAD, Samples::modelHead),
        new Kind<>("StateIndex", Codecs.STATE_INDEX, Samples::stateIndex),
        new Kind<>("OpenRound", Codecs.OPEN_ROUND, Samples::openRound),
        new Kind<>("RoundGenesis", RoundCodecs.GENESIS, Samples::roundGenesis),
        new Kind<>("RoundPoint", RoundCodecs.POINT, Samples::roundPoint),
        new Kind<>("RoundPart", RoundCodecs.PART, Samples::roundPart),
        new Kind<>("ModelMetrics", Codecs.METRICS, Samples::metrics),
        new Kind<>("ModelAlias", Codecs.ALIAS, Samples::alias),
        new Kind<>("StartingModel", Codecs.STARTING_MODEL, Samples::startingModel));
  }

  static LedgerEntry ledgerEntry(Random random) {
    return new LedgerEntry(
        random.nextLong(),
        bytes(random, 32),
        text(random),
        bytes(random, 16),
        random.nextInt(),
        1 + later(4), // older versions keep their golden bytes
        random.nextLong(),
        text(random),
        random.nextDouble(),
        random.nextDouble(),
        random.nextGaussian(),
        random.nextDouble(),
        guarantee(random),
        bound(random, 0),
        bound(random, 0),
        random.nextBoolean(),
        random.nextLong(),
        random.nextLong(),
        ranges(random),
        bytes(random, 32),
        bytes(random, 32),
        text(random),
        random.nextInt(),
        // what version 3 added is drawn last, so that older versions keep their golden bytes
        new LedgerEntry.Terms(
            text(random),
            text(random),
            text(random),
            random.nextDouble(),
            text(random),
            random.nextDouble(),
            later(4),
            0,
            3,
            "numbers=2 rounds=8 sigma=0x1.8p3 share=0x1.0p-1"));
  }

  static ModelSnapshot modelSnapshot(Random random) {
    return new ModelSnapshot(
        text(random),
        bytes(random, 16),
        random.nextInt(),
        random.nextLong(),
        random.nextInt(),
        random.nextInt(),
        bytes(random, 32),
        text(random),
        text(random),
        text(random),
        random.nextBoolean(),
        guarantee(random),
        bytes(random, 32),
        ranges(random),
        bytes(random, 32));
  }

  static WeightsChunk weightsChunk(Random random) {
    double[] weights = random.doubles(random.nextInt(20)).toArray();
    return new WeightsChunk(
        text(random), random.nextLong(), random.nextInt(), PackedDoubles.pack(weights));
  }

  static PartitionHead partitionHead(Random random) {
    PartitionHead first = new PartitionHead(
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        bytes(random, 32),
        text(random),
        "",
        -1,
        -1,
        random.nextInt());
    return new PartitionHead( // what version 2 added is drawn last, so that version 1 keeps its
        // golden bytes
        first.position(),
        first.origin(),
        first.nullSlots(),
        first.ledgerSequence(),
        first.ledgerHash(),
        first.topicId(),
        text(random),
        random.nextLong(),
        random.nextLong(),
        first.semantics(),
        // and what version 3 added behind that
        text(random),
        random.nextLong(),
        random.nextInt(4) == 0 ? null : orderPlace(random));
  }

  private static OrderPlace orderPlace(Random random) {
    List<OrderPlace.Reached> partitions = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      long from = random.nextInt(1000);
      partitions.add(new OrderPlace.Reached(i, from, from + random.nextInt(1000)));
    }
    return new OrderPlace(random.nextInt(1000), random.nextLong(), partitions);
  }

  static Announcement announcement(Random random) {
    long begin = random.nextInt(1000);
    return new Announcement(random.nextInt(1000), begin, begin + random.nextInt(1000));
  }

  static RoundGenesis roundGenesis(Random random) {
    List<OffsetRange> slices = List.of(new OffsetRange(0, 5, 69), new OffsetRange(1, 1000, 1064));
    return new RoundGenesis(
        text(random), slices, bytes(random, 16), bytes(random, 32), text(random));
  }

  static StartingModel startingModel(Random random) {
    double[] weights = random.doubles(3).toArray();
    Guarantee guarantee = guarantee(random);
    byte[] digest = ModelSnapshot.digest(weights, guarantee);
    byte[] run = bytes(random, 16);
    String model = text(random);
    ModelSnapshot manifest = new ModelSnapshot(
        model,
        run,
        0,
        5,
        3,
        1,
        digest,
        text(random),
        text(random),
        text(random),
        false,
        guarantee,
        bytes(random, 32),
        List.of(),
        bytes(random, 32));
    LedgerEntry entry = entry(model, run, 5, digest, guarantee, random);
    LedgerEntry newest = entry(model, run, 7, bytes(random, 32), guarantee, random);
    StartingModel.Records records = new StartingModel.Records(
        random.nextBoolean(), "topic-id", List.of(new OffsetRange(0, 5, 69)), 7);
    return new StartingModel(
        text(random) + ".snapshots@5", manifest, weights, entry, newest, records);
  }

  private static LedgerEntry entry(
      String model, byte[] run, long round, byte[] digest, Guarantee guarantee, Random random) {
    return new LedgerEntry(
        round,
        bytes(random, 32),
        model,
        run,
        0,
        round,
        round,
        text(random),
        1,
        1,
        random.nextDouble(),
        random.nextDouble(),
        guarantee,
        8,
        1,
        random.nextBoolean(),
        random.nextLong(),
        0,
        List.of(new OffsetRange(0, 5, 69)),
        digest,
        bytes(random, 32),
        text(random),
        4,
        LedgerEntry.Terms.PLAIN);
  }

  static RoundPoint roundPoint(Random random) {
    return new RoundPoint(
        random.nextLong(), text(random), random.nextInt(9), random.nextInt(9), bytes(random, 40));
  }

  static RoundPart roundPart(Random random) {
    return new RoundPart(
        random.nextLong(),
        random.nextInt(9),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextInt(9),
        random.nextInt(9),
        bytes(random, 40));
  }

  static ModelHead modelHead(Random random) {
    return new ModelHead(
        bytes(random, 16),
        bytes(random, 32),
        text(random),
        random.nextLong(),
        later(2),
        text(new Random(2)));
  }

  /** A number that a version of a schema added, the same under every seed: golden bytes have it. */
  private static long later(int version) {
    return new Random(version).nextLong() >>> 1;
  }

  static StateIndex stateIndex(Random random) {
    return new StateIndex(
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextInt(),
        bytes(random, 32),
        new VersionState(later(2), later(2) + 1, text(new Random(2)), later(3), later(3) + 1),
        later(4),
        true,
        Stream.generate(() -> storedArray(random)).limit(random.nextInt(4)).toList());
  }

  private static StoredArray storedArray(Random random) {
    int pages = random.nextInt(5);
    return new StoredArray(text(random), 1000L * pages, bytes(random, 32 * pages));
  }

  static ModelMetrics metrics(Random random) {
    return new ModelMetrics(
        text(random),
        bytes(random, 16),
        new NoisyMetrics(
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            random.nextDouble(),
            random.doubles(3 + 2 * random.nextInt(5)).toArray(),
            random.nextDouble()),
        bytes(random, 32));
  }

  static ModelAlias alias(Random random) {
    int count = random.nextInt(5);
    long newest = count + 1 + random.nextInt(1000);
    List<AliasChange> earlier = IntStream.rangeClosed(1, count)
        .mapToObj(i -> aliasChange(random, newest - i, random.nextLong()))
        .toList();
    String name = "a" + Integer.toHexString(random.nextInt());
    return new ModelAlias(name, aliasChange(random, newest, -1), earlier);
  }

  private static AliasChange aliasChange(Random random, long number, long time) {
    AliasTarget target = new AliasTarget(text(random), bytes(random, 16), random.nextLong() >>> 1);
    return new AliasChange(
        number,
        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(target),
        random.nextInt((int) number),
        text(random),
        text(random),
        time);
  }

  static OpenRound openRound(Random random) {
    return new OpenRound(
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        later(2),
        later(2) + 1,
        bytes(random, random.nextInt(200)),
        bytes(random, random.nextInt(3)));
  }

  /** Strictly increasing coordinates below the dimension. */
  static int[] indices(Random random, int dimension) {
    double density = random.nextDouble();
    return IntStream.range(0, dimension)
        .filter(i -> random.nextDouble() < density)
        .toArray();
  }

  public static double[] gaussians(Random random, int count) {
    return random.doubles(count).map(u -> random.nextGaussian()).toArray();
  }

  public static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  static String text(Random random) {
    return random
        .ints(random.nextInt(30), 0, 0x2FFF)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Guarantee guarantee(Random random) {
    double mu = random.nextDouble();
    double epsilon = bound(random, 1);
    return new Guarantee(
        PrivacyUnit.values()[random.nextInt(2)],
        Adjacency.values()[random.nextInt(2)],
        "tree" + text(random),
        mu,
        epsilon,
        random.nextDouble(),
        bound(random, mu),
        bound(random, epsilon));
  }

  private static double bound(Random random, double least) {
    return random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : least + random.nextDouble();
  }

  private static List<OffsetRange> ranges(Random random) {
    return IntStream.range(0, random.nextInt(5))
        .mapToObj(partition -> range(random, partition))
        .toList();
  }

  private static OffsetRange range(Random random, int partition) {
    long from = random.nextLong() >>> 2;
    return new OffsetRange(partition, from, from + 1 + random.nextInt(1000));
  }
}
