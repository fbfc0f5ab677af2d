package dev.sotto.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A graph as it grows: each step names what it computes, in double precision. */
final class OnnxGraph {
  /** The domain of the operators that only ONNX Runtime has. */
  static final String RUNTIME = "com.microsoft";

  private final GraphProto.Builder graph = GraphProto.newBuilder();
  private int steps;

  OnnxGraph(String name) {
    graph.setName(name);
  }

  GraphProto build() {
    return graph.build();
  }

  /** Whether a step is not standard ONNX, but one of ONNX Runtime. */
  boolean needsRuntime() {
    return graph.getNodeList().stream().anyMatch(node -> node.getDomain().equals(RUNTIME));
  }

  /** An input; a size below 0 is any. */
  String input(String name, TensorProto.DataType type, long... shape) {
    graph.addInput(described(name, type, shape));
    return name;
  }

  /** What was computed last, under a name of its own. */
  void output(String computed, String name, long... shape) {
    graph.addNode(
        NodeProto.newBuilder().setOpType("Identity").addInput(computed).addOutput(name));
    graph.addOutput(described(name, TensorProto.DataType.DOUBLE, shape));
  }

  private static ValueInfoProto described(String name, TensorProto.DataType type, long[] shape) {
    TensorShapeProto.Builder sizes = TensorShapeProto.newBuilder();
    for (long size : shape) {
      TensorShapeProto.Dimension.Builder each = TensorShapeProto.Dimension.newBuilder();
      sizes.addDim(size < 0 ? each.setDimParam("n") : each.setDimValue(size));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder()
            .setTensorType(
                TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(sizes)))
        .build();
  }

  /** A constant of a shape, row-major; of no shape where it is one number. */
  String constant(String name, double[] values, long... shape) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(8, values.length)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    TensorProto.Builder tensor = TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.DOUBLE.getNumber())
        .setRawData(ByteString.copyFrom(bytes));
    for (long size : shape) {
      tensor.addDims(size);
    }
    graph.addInitializer(tensor);
    return name;
  }

  String constant(String name, double value) {
    return constant(name, new double[] {value});
  }

  /** A text for each place of a shape. */
  String text(String name, String value, long... shape) {
    TensorProto.Builder tensor = TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.STRING.getNumber())
        .addStringData(ByteString.copyFromUtf8(value));
    for (long size : shape) {
      tensor.addDims(size);
    }
    graph.addInitializer(tensor);
    return name;
  }

  /** A list of whole numbers, as shapes and axes are. */
  String integers(String name, long... values) {
    TensorProto.Builder tensor = TensorProto.newBuilder()
        .setName(name)
        .setDataType(TensorProto.DataType.INT64.getNumber())
        .addDims(values.length);
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    graph.addInitializer(tensor);
    return name;
  }

  /** A step; its result. */
  String step(String operator, String... inputs) {
    return step("", operator, Map.of(), inputs);
  }

  /** A step with a whole number as an attribute. */
  String step(String operator, String attribute, long value, String... inputs) {
    return step("", operator, Map.of(attribute, value), inputs);
  }

  /** 32 bits of MurmurHash3 (x86) of each text's bytes in UTF-8, as a signed number. */
  String murmurHash(int seed, String texts) {
    return step(RUNTIME, "MurmurHash3", Map.of("positive", 0L, "seed", (long) seed), texts);
  }

  private String step(
      String domain, String operator, Map<String, Long> attributes, String... inputs) {
    String result = operator.toLowerCase(Locale.ROOT) + "_" + ++steps;
    NodeProto.Builder node = NodeProto.newBuilder()
        .setOpType(operator)
        .setDomain(domain)
        .addAllInput(List.of(inputs))
        .addOutput(result);
    attributes.forEach((name, value) -> node.addAttribute(AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)));
    graph.addNode(node);
    return result;
  }
}
