package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.SingleObject;

/** The codecs of what coordinator and workers of the rounds layout send each other. */
public final class RoundCodecs {
  public static final RecordCodec<RoundGenesis> GENESIS = new RecordCodec<>(
      SingleObject.of("RoundGenesis"),
      (genesis, to) -> to.put("eventTopicId", genesis.eventTopicId())
          .putRanges("firstSlices", genesis.firstSlices())
          .put("runId", genesis.runId())
          .put("fingerprint", genesis.fingerprint())
          .put("keyId", genesis.keyId()),
      from -> new RoundGenesis(
          from.text("eventTopicId"),
          from.ranges("firstSlices"),
          from.bytes("runId"),
          from.bytes("fingerprint"),
          from.text("keyId")));

  public static final RecordCodec<RoundPoint> POINT = new RecordCodec<>(
      SingleObject.of("RoundPoint"),
      (point, to) -> to.put("round", point.round())
          .put("keyId", point.keyId())
          .put("index", point.index())
          .put("pieces", point.pieces())
          .put("weights", point.weights())
          .put("seed", point.seed()),
      from -> new RoundPoint(
          from.number("round"),
          from.text("keyId"),
          from.integer("index"),
          from.integer("pieces"),
          from.bytes("weights"),
          from.bytes("seed")));

  public static final RecordCodec<RoundPart> PART = new RecordCodec<>(
      SingleObject.of("RoundPart"),
      (part, to) -> to.put("round", part.round())
          .put("partition", part.partition())
          .put("from", part.from())
          .put("to", part.to())
          .put("attempt", part.attempt())
          .put("index", part.index())
          .put("pieces", part.pieces())
          .put("sealed", part.sealed()),
      from -> new RoundPart(
          from.number("round"),
          from.integer("partition"),
          from.number("from"),
          from.number("to"),
          from.number("attempt"),
          from.integer("index"),
          from.integer("pieces"),
          from.bytes("sealed")));

  private RoundCodecs() {}
}
