"""The schema's options tables, and which of them belongs to which operator.

Facts of TensorFlow Lite's schema 3 as TFLM 2026-08 has it; `schema.py` explains the notation.
"""

from __future__ import annotations

from pyref.container.enums import ENUMS, UNIONS

OPTIONS: dict[str, str] = {
    "StablehloGatherOptions": (
        "offset_dims:[long] collapsed_slice_dims:[long] start_index_map:[long] "
        "index_vector_dim:long slice_sizes:[long] indices_are_sorted:bool"
    ),
    "StablehloTransposeOptions": "permutation:[long]",
    "StablehloDotGeneralOptions": (
        "lhs_batching_dimensions:[long] rhs_batching_dimensions:[long] "
        "lhs_contracting_dimensions:[long] rhs_contracting_dimensions:[long] "
        "precision_config:[StablehloPrecisionConfig]"
    ),
    "StablehloReduceWindowOptions": (
        "window_dimensions:[long] window_strides:[long] base_dilations:[long] "
        "window_dilations:[long] padding:[long] body_subgraph_index:int"
    ),
    "StablehloWhileOptions": "cond_subgraph_index:int body_subgraph_index:int",
    "StablehloSortOptions": "dimension:long is_stable:bool comparator_subgraph_index:int",
    "StablehloConcatenateOptions": "dimension:long",
    "StablehloBroadcastInDimOptions": "broadcast_dimensions:[long]",
    "StablehloCompareOptions": (
        "comparison_direction:StablehloComparisonDirection compare_type:StablehloComparisonType"
    ),
    "StablehloDynamicSliceOptions": "slice_sizes:[long]",
    "StablehloPadOptions": (
        "edge_padding_low:[long] edge_padding_high:[long] interior_padding:[long]"
    ),
    "StablehloIotaOptions": "iota_dimension:long",
    "StablehloCustomCallOptions": (
        "call_target_name:string has_side_effect:bool backend_config:string api_version:int "
        "called_computations:[int] custom_attributes:[ubyte]"
    ),
    "StablehloReduceOptions": "dimensions:[long] body_subgraph_index:int",
    "StablehloSliceOptions": "start_indices:[long] limit_indices:[long] strides:[long]",
    "StablehloConvolutionOptions": (
        "window_strides:[long] padding:[long] lhs_dilation:[long] rhs_dilation:[long] "
        "window_reversal:[bool] input_batch_dimension:long input_feature_dimension:long "
        "input_spatial_dimensions:[long] kernel_input_feature_dimension:long "
        "kernel_output_feature_dimension:long kernel_spatial_dimensions:[long] "
        "output_batch_dimension:long output_feature_dimension:long "
        "output_spatial_dimensions:[long] feature_group_count:long batch_group_count:long "
        "precision_config:[StablehloPrecisionConfig]"
    ),
    "StablehloScatterOptions": (
        "indices_are_sorted:bool update_window_dims:[long] inserted_window_dims:[long] "
        "scatter_dims_to_operand_dims:[long] index_vector_dim:long unique_indices:bool "
        "update_computation_subgraph_index:int"
    ),
    "StablehloCaseOptions": "branch_subgraph_indices:[int]",
    "StablehloRngBitGeneratorOptions": "algorithm:RngAlgorithm",
    "Conv2DOptions": (
        "padding:Padding stride_w:int stride_h:int "
        "fused_activation_function:ActivationFunctionType dilation_w_factor:int=1 "
        "dilation_h_factor:int=1 quantized_bias_type:TensorType"
    ),
    "Conv3DOptions": (
        "padding:Padding stride_d:int stride_w:int stride_h:int "
        "fused_activation_function:ActivationFunctionType dilation_d_factor:int=1 "
        "dilation_w_factor:int=1 dilation_h_factor:int=1"
    ),
    "Pool2DOptions": (
        "padding:Padding stride_w:int stride_h:int filter_width:int filter_height:int "
        "fused_activation_function:ActivationFunctionType"
    ),
    "DepthwiseConv2DOptions": (
        "padding:Padding stride_w:int stride_h:int depth_multiplier:int "
        "fused_activation_function:ActivationFunctionType dilation_w_factor:int=1 "
        "dilation_h_factor:int=1"
    ),
    "ConcatEmbeddingsOptions": (
        "num_channels:int num_columns_per_channel:[int] embedding_dim_per_channel:[int]"
    ),
    "LSHProjectionOptions": "type:LSHProjectionType",
    "SVDFOptions": (
        "rank:int fused_activation_function:ActivationFunctionType asymmetric_quantize_inputs:bool"
    ),
    "RNNOptions": (
        "fused_activation_function:ActivationFunctionType asymmetric_quantize_inputs:bool"
    ),
    "SequenceRNNOptions": (
        "time_major:bool fused_activation_function:ActivationFunctionType "
        "asymmetric_quantize_inputs:bool"
    ),
    "BidirectionalSequenceRNNOptions": (
        "time_major:bool fused_activation_function:ActivationFunctionType merge_outputs:bool "
        "asymmetric_quantize_inputs:bool"
    ),
    "FullyConnectedOptions": (
        "fused_activation_function:ActivationFunctionType "
        "weights_format:FullyConnectedOptionsWeightsFormat=DEFAULT keep_num_dims:bool "
        "asymmetric_quantize_inputs:bool quantized_bias_type:TensorType"
    ),
    "SoftmaxOptions": "beta:float",
    "ConcatenationOptions": "axis:int fused_activation_function:ActivationFunctionType",
    "AddOptions": "fused_activation_function:ActivationFunctionType pot_scale_int16:bool=true",
    "MulOptions": "fused_activation_function:ActivationFunctionType",
    "L2NormOptions": "fused_activation_function:ActivationFunctionType",
    "LocalResponseNormalizationOptions": "radius:int bias:float alpha:float beta:float",
    "LSTMOptions": (
        "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float "
        "kernel_type:LSTMKernelType=FULL asymmetric_quantize_inputs:bool"
    ),
    "UnidirectionalSequenceLSTMOptions": (
        "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float "
        "time_major:bool asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool"
    ),
    "BidirectionalSequenceLSTMOptions": (
        "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float "
        "merge_outputs:bool time_major:bool=true asymmetric_quantize_inputs:bool"
    ),
    "ResizeBilinearOptions": (
        "new_height:int(deprecated) new_width:int(deprecated) align_corners:bool "
        "half_pixel_centers:bool"
    ),
    "ResizeNearestNeighborOptions": "align_corners:bool half_pixel_centers:bool",
    "CallOptions": "subgraph:uint",
    "ReshapeOptions": "new_shape:[int]",
    "SkipGramOptions": "ngram_size:int max_skip_size:int include_all_ngrams:bool",
    "SpaceToDepthOptions": "block_size:int",
    "DepthToSpaceOptions": "block_size:int",
    "SubOptions": "fused_activation_function:ActivationFunctionType pot_scale_int16:bool=true",
    "DivOptions": "fused_activation_function:ActivationFunctionType",
    "EmbeddingLookupSparseOptions": "combiner:CombinerType",
    "GatherOptions": "axis:int batch_dims:int",
    "ReducerOptions": "keep_dims:bool",
    "SqueezeOptions": "squeeze_dims:[int]",
    "SplitOptions": "num_splits:int",
    "SplitVOptions": "num_splits:int",
    "StridedSliceOptions": (
        "begin_mask:int end_mask:int ellipsis_mask:int new_axis_mask:int shrink_axis_mask:int "
        "offset:bool"
    ),
    "CastOptions": "in_data_type:TensorType out_data_type:TensorType",
    "ArgMaxOptions": "output_type:TensorType",
    "ArgMinOptions": "output_type:TensorType",
    "TransposeConvOptions": (
        "padding:Padding stride_w:int stride_h:int "
        "fused_activation_function:ActivationFunctionType=NONE quantized_bias_type:TensorType"
    ),
    "SparseToDenseOptions": "validate_indices:bool",
    "ShapeOptions": "out_type:TensorType",
    "FakeQuantOptions": "min:float max:float num_bits:int narrow_range:bool",
    "PackOptions": "values_count:int axis:int",
    "OneHotOptions": "axis:int",
    "UnpackOptions": "num:int axis:int",
    "LeakyReluOptions": "alpha:float",
    "MirrorPadOptions": "mode:MirrorPadMode",
    "UniqueOptions": "idx_out_type:TensorType=INT32",
    "ReverseSequenceOptions": "seq_dim:int batch_dim:int",
    "IfOptions": "then_subgraph_index:int else_subgraph_index:int",
    "CallOnceOptions": "init_subgraph_index:int",
    "WhileOptions": "cond_subgraph_index:int body_subgraph_index:int",
    "BatchMatMulOptions": "adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool",
    "CumsumOptions": "exclusive:bool reverse:bool",
    "HashtableOptions": "table_id:int key_dtype:TensorType value_dtype:TensorType",
    "VarHandleOptions": "container:string shared_name:string",
    "RandomOptions": "seed:long seed2:long",
    "BucketizeOptions": "boundaries:[float]",
    "GeluOptions": "approximate:bool",
    "ReduceWindowOptions": "reduce_function:ReduceWindowFunction",
    "StableHLOCompositeOptions": (
        "name:string decomposition_subgraph_index:int composite_attributes:[ubyte] "
        "composite_attributes_format:CustomOptionsFormat version:int"
    ),
}

_WITHOUT_FIELDS = """
    PadOptions PadV2Options SpaceToBatchNDOptions BatchToSpaceNDOptions TopKV2Options
    TransposeOptions ExpOptions CosOptions LogSoftmaxOptions DequantizeOptions
    MaximumMinimumOptions TileOptions GreaterOptions GreaterEqualOptions LessOptions
    LessEqualOptions NegOptions SelectOptions SliceOptions ExpandDimsOptions EqualOptions
    NotEqualOptions RankOptions PowOptions LogicalOrOptions AbsOptions HardSwishOptions
    LogicalAndOptions LogicalNotOptions FloorDivOptions SquareOptions ZerosLikeOptions
    FillOptions FloorModOptions RangeOptions SquaredDifferenceOptions ReverseV2Options
    AddNOptions GatherNdOptions WhereOptions MatrixDiagOptions QuantizeOptions
    MatrixSetDiagOptions NonMaxSuppressionV4Options NonMaxSuppressionV5Options ScatterNdOptions
    SelectV2Options DensifyOptions SegmentSumOptions BroadcastToOptions Rfft2dOptions
    HashtableFindOptions HashtableImportOptions HashtableSizeOptions ReadVariableOptions
    AssignVariableOptions DynamicUpdateSliceOptions UnsortedSegmentProdOptions
    UnsortedSegmentMaxOptions UnsortedSegmentSumOptions ATan2Options UnsortedSegmentMinOptions
    SignOptions BitcastOptions BitwiseXorOptions RightShiftOptions DilateOptions
    StablehloShiftLeftOptions
"""
OPTIONS.update(dict.fromkeys(_WITHOUT_FIELDS.split(), ""))

#: Operators whose options are not called as they are.
_OTHER_NAMES = {
    "AVERAGE_POOL_2D": "Pool2DOptions",
    "CONV_3D_TRANSPOSE": "Conv3DOptions",
    "L2_NORMALIZATION": "L2NormOptions",
    "L2_POOL_2D": "Pool2DOptions",
    "MAXIMUM": "MaximumMinimumOptions",
    "MAX_POOL_2D": "Pool2DOptions",
    "MEAN": "ReducerOptions",
    "MINIMUM": "MaximumMinimumOptions",
    "MULTINOMIAL": "RandomOptions",
    "RANDOM_STANDARD_NORMAL": "RandomOptions",
    "RANDOM_UNIFORM": "RandomOptions",
    "REDUCE_ALL": "ReducerOptions",
    "REDUCE_ANY": "ReducerOptions",
    "REDUCE_MAX": "ReducerOptions",
    "REDUCE_MIN": "ReducerOptions",
    "REDUCE_PROD": "ReducerOptions",
    "SUM": "ReducerOptions",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNNOptions",
}


def _options_of_operators() -> dict[str, str]:
    by_lower = {name.lower(): name for union in _OPTION_UNIONS for name in UNIONS[union]}
    found = {}
    for operator in ENUMS["BuiltinOperator"].names:
        usual = by_lower.get(operator.replace("_", "").lower() + "options")
        name = _OTHER_NAMES.get(operator, usual)
        if name is not None:
            found[operator] = name
    return found


_OPTION_UNIONS = ("BuiltinOptions", "BuiltinOptions2")

#: BuiltinOperator name to its options table; operators that have none are absent.
OPTIONS_OF: dict[str, str] = _options_of_operators()
