/** Published versions as ONNX models (docs/onnx.md). */
package dev.sotto.onnx;
