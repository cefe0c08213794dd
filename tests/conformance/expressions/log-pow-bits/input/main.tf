variable "v0" {
  default = 0

  validation {
    condition     = var.v0 == var.v0 && jsonencode(pow(1.4288048626919373e+30, 5.702921637481797e-168)) == "1"
    error_message = "Another result."
  }
}

variable "v1" {
  default = 0

  validation {
    condition     = var.v1 == var.v1 && jsonencode(log(3.4059209392208173e-252, 2)) == "-835.3578349651243"
    error_message = "Another result."
  }
}

variable "v2" {
  default = 0

  validation {
    condition     = var.v2 == var.v2 && jsonencode(log(2.459414170255315e-190, 571178.1580006058)) == "-32.93671901231165"
    error_message = "Another result."
  }
}

variable "v3" {
  default = 0

  validation {
    condition     = var.v3 == var.v3 && jsonencode(pow(1/6, 0.21351505423759254)) == "0.6821077651173334"
    error_message = "Another result."
  }
}

variable "v4" {
  default = 0

  validation {
    condition     = var.v4 == var.v4 && jsonencode(pow(25.18, -0.25)) == "0.44641221401079556"
    error_message = "Another result."
  }
}

variable "v5" {
  default = 0

  validation {
    condition     = var.v5 == var.v5 && jsonencode(pow(24.2, 1.5)) == "119.04825912208881"
    error_message = "Another result."
  }
}

variable "v6" {
  default = 0

  validation {
    condition     = var.v6 == var.v6 && jsonencode(pow(7.264, 1.5)) == "19.577793944773248"
    error_message = "Another result."
  }
}

variable "v7" {
  default = 0

  validation {
    condition     = var.v7 == var.v7 && jsonencode(pow(9.71463197472803e-93, 2.724980083076627e-128)) == "1"
    error_message = "Another result."
  }
}

variable "v8" {
  default = 0

  validation {
    condition     = var.v8 == var.v8 && jsonencode(pow(8.15003061067614e-119, 65536)) == "0"
    error_message = "Another result."
  }
}

variable "v9" {
  default = 0

  validation {
    condition     = var.v9 == var.v9 && jsonencode(pow(151, 2/3)) == "28.356413335678806"
    error_message = "Another result."
  }
}

variable "v10" {
  default = 0

  validation {
    condition     = var.v10 == var.v10 && jsonencode(log(4.907091555555622e-97, 2)) == "-319.93215701489464"
    error_message = "Another result."
  }
}

variable "v11" {
  default = 0

  validation {
    condition     = var.v11 == var.v11 && jsonencode(log(1.5547929687895556, 2.718281828459045)) == "0.441342397725322"
    error_message = "Another result."
  }
}

variable "v12" {
  default = 0

  validation {
    condition     = var.v12 == var.v12 && jsonencode(pow(3.15, 143)) == "181304754005502300000000000000000000000000000000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v13" {
  default = 0

  validation {
    condition     = var.v13 == var.v13 && jsonencode(pow(1, 4.0828668381769166e-225)) == "1"
    error_message = "Another result."
  }
}

variable "v14" {
  default = 0

  validation {
    condition     = var.v14 == var.v14 && jsonencode(pow(39, -19)) == "0.0000000000000000000000000000005885352319836598"
    error_message = "Another result."
  }
}

variable "v15" {
  default = 0

  validation {
    condition     = var.v15 == var.v15 && jsonencode(pow(5.517834747392124e-189, 4.3)) == "0"
    error_message = "Another result."
  }
}

variable "v16" {
  default = 0

  validation {
    condition     = var.v16 == var.v16 && jsonencode(pow(8.237735604736522e-94, 8192)) == "0"
    error_message = "Another result."
  }
}

variable "v17" {
  default = 0

  validation {
    condition     = var.v17 == var.v17 && jsonencode(log(1.0044927728950463, 2.718281828459045)) == "0.004482710518295252"
    error_message = "Another result."
  }
}

variable "v18" {
  default = 0

  validation {
    condition     = var.v18 == var.v18 && jsonencode(log(620651.8761555307, 966368.7144629335)) == "0.9678713117774093"
    error_message = "Another result."
  }
}

variable "v19" {
  default = 0

  validation {
    condition     = var.v19 == var.v19 && jsonencode(pow(1.3558020938370408, 1/22)) == "1.013932217133107"
    error_message = "Another result."
  }
}

variable "v20" {
  default = 0

  validation {
    condition     = var.v20 == var.v20 && jsonencode(pow(138, 22.783)) == "5660635953746398300000000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v21" {
  default = 0

  validation {
    condition     = var.v21 == var.v21 && jsonencode(pow(14, 0.1)) == "1.3020054543174677"
    error_message = "Another result."
  }
}

variable "v22" {
  default = 0

  validation {
    condition     = var.v22 == var.v22 && jsonencode(pow(66, 1/13)) == "1.3802727630222782"
    error_message = "Another result."
  }
}

variable "v23" {
  default = 0

  validation {
    condition     = var.v23 == var.v23 && jsonencode(pow(189, 0.1)) == "1.6890642907795927"
    error_message = "Another result."
  }
}

variable "v24" {
  default = 0

  validation {
    condition     = var.v24 == var.v24 && jsonencode(log(1/5, 2)) == "-2.321928094887362"
    error_message = "Another result."
  }
}

variable "v25" {
  default = 0

  validation {
    condition     = var.v25 == var.v25 && jsonencode(pow(4.946, 1.9120197559796253e-235)) == "1"
    error_message = "Another result."
  }
}

variable "v26" {
  default = 0

  validation {
    condition     = var.v26 == var.v26 && jsonencode(pow(274877906944, 2.1807)) == "8817231401910783000000000"
    error_message = "Another result."
  }
}

variable "v27" {
  default = 0

  validation {
    condition     = var.v27 == var.v27 && jsonencode(pow(44.789, 1.5)) == "299.74852116577495"
    error_message = "Another result."
  }
}

variable "v28" {
  default = 0

  validation {
    condition     = var.v28 == var.v28 && jsonencode(pow(15, 10.87)) == "6082918334532.875"
    error_message = "Another result."
  }
}

variable "v29" {
  default = 0

  validation {
    condition     = var.v29 == var.v29 && jsonencode(log(4.801479694213583e+133, 2)) == "444.0799156963806"
    error_message = "Another result."
  }
}

variable "v30" {
  default = 0

  validation {
    condition     = var.v30 == var.v30 && jsonencode(log(1.924190056481238e-81, 1.7977507080305664)) == "-316.8685292639523"
    error_message = "Another result."
  }
}

variable "v31" {
  default = 0

  validation {
    condition     = var.v31 == var.v31 && jsonencode(pow(1/27, 1.9635575718117726)) == "0.0015468024200199118"
    error_message = "Another result."
  }
}

variable "v32" {
  default = 0

  validation {
    condition     = var.v32 == var.v32 && jsonencode(log(5.8802672150561015e-33, 1.1314656527690724e+105)) == "-0.3068013875212818"
    error_message = "Another result."
  }
}

variable "v33" {
  default = 0

  validation {
    condition     = var.v33 == var.v33 && jsonencode(log(70368744177664, 0.6582)) == "-76.23440887443682"
    error_message = "Another result."
  }
}

variable "v34" {
  default = 0

  validation {
    condition     = var.v34 == var.v34 && jsonencode(pow(48.872, -0.25)) == "0.3782117107361937"
    error_message = "Another result."
  }
}

variable "v35" {
  default = 0

  validation {
    condition     = var.v35 == var.v35 && jsonencode(pow(0.39858774448536405, 1.0896716714160687e+214)) == "0"
    error_message = "Another result."
  }
}

variable "v36" {
  default = 0

  validation {
    condition     = var.v36 == var.v36 && jsonencode(pow(139, 0.1)) == "1.6379531667805634"
    error_message = "Another result."
  }
}

variable "v37" {
  default = 0

  validation {
    condition     = var.v37 == var.v37 && jsonencode(log(4398046511104, 2.718281828459045)) == "29.112181583517703"
    error_message = "Another result."
  }
}

variable "v38" {
  default = 0

  validation {
    condition     = var.v38 == var.v38 && jsonencode(pow(48.227, 1/3)) == "3.6399611556455302"
    error_message = "Another result."
  }
}

variable "v39" {
  default = 0

  validation {
    condition     = var.v39 == var.v39 && jsonencode(log(0.806, 10)) == "-0.09366495819490932"
    error_message = "Another result."
  }
}

variable "v40" {
  default = 0

  validation {
    condition     = var.v40 == var.v40 && jsonencode(log(4503599627370496, 2.718281828459045)) == "36.04365338911715"
    error_message = "Another result."
  }
}

variable "v41" {
  default = 0

  validation {
    condition     = var.v41 == var.v41 && jsonencode(log(1.6208599918111632, 2)) == "0.6967594777504132"
    error_message = "Another result."
  }
}

variable "v42" {
  default = 0

  validation {
    condition     = var.v42 == var.v42 && jsonencode(pow(1/24, 4)) == "0.0000030140817901234566"
    error_message = "Another result."
  }
}

variable "v43" {
  default = 0

  validation {
    condition     = var.v43 == var.v43 && jsonencode(pow(122, 8.124204176359138e-277)) == "1"
    error_message = "Another result."
  }
}

variable "v44" {
  default = 0

  validation {
    condition     = var.v44 == var.v44 && jsonencode(pow(29.507, 0.1)) == "1.402789497345033"
    error_message = "Another result."
  }
}

variable "v45" {
  default = 0

  validation {
    condition     = var.v45 == var.v45 && jsonencode(pow(70, 0.7)) == "19.56899976424213"
    error_message = "Another result."
  }
}

variable "v46" {
  default = 0

  validation {
    condition     = var.v46 == var.v46 && jsonencode(log(372350.14969192806, 0.9816537749843903)) == "-692.7614743862997"
    error_message = "Another result."
  }
}

variable "v47" {
  default = 0

  validation {
    condition     = var.v47 == var.v47 && jsonencode(log(3.384792082686228e+30, 2.718281828459045)) == "70.2968452711636"
    error_message = "Another result."
  }
}

variable "v48" {
  default = 0

  validation {
    condition     = var.v48 == var.v48 && jsonencode(pow(705871.1285134039, -6.07407)) == "0.000000000000000000000000000000000002981483399219878"
    error_message = "Another result."
  }
}

variable "v49" {
  default = 0

  validation {
    condition     = var.v49 == var.v49 && jsonencode(pow(766799.8524396908, 0.80249)) == "52771.382840521976"
    error_message = "Another result."
  }
}

variable "v50" {
  default = 0

  validation {
    condition     = var.v50 == var.v50 && jsonencode(pow(47.554, 1.5)) == "327.92957046820896"
    error_message = "Another result."
  }
}

variable "v51" {
  default = 0

  validation {
    condition     = var.v51 == var.v51 && jsonencode(pow(1/26, 3.097428863957188e+222)) == "0"
    error_message = "Another result."
  }
}

variable "v52" {
  default = 0

  validation {
    condition     = var.v52 == var.v52 && jsonencode(pow(119, -0.25)) == "0.30277029197532096"
    error_message = "Another result."
  }
}

variable "v53" {
  default = 0

  validation {
    condition     = var.v53 == var.v53 && jsonencode(pow(1/15, 1.8305468829058258)) == "0.007032501147845566"
    error_message = "Another result."
  }
}

variable "v54" {
  default = 0

  validation {
    condition     = var.v54 == var.v54 && jsonencode(log(1/20, 3)) == "-2.726833027860842"
    error_message = "Another result."
  }
}

variable "v55" {
  default = 0

  validation {
    condition     = var.v55 == var.v55 && jsonencode(pow(281474976710656, 1.9736790087998384)) == "33003196572170196000000000000"
    error_message = "Another result."
  }
}

variable "v56" {
  default = 0

  validation {
    condition     = var.v56 == var.v56 && jsonencode(log(0.7149402973311398, 10)) == "-0.14573022340482247"
    error_message = "Another result."
  }
}

variable "v57" {
  default = 0

  validation {
    condition     = var.v57 == var.v57 && jsonencode(pow(0.29160236458252076, 647260.1465924807)) == "0"
    error_message = "Another result."
  }
}

variable "v58" {
  default = 0

  validation {
    condition     = var.v58 == var.v58 && jsonencode(pow(1.3068191697423642e-179, 191)) == "0"
    error_message = "Another result."
  }
}

variable "v59" {
  default = 0

  validation {
    condition     = var.v59 == var.v59 && jsonencode(log(7.159817458379094e-157, 742188.520809653)) == "-26.59819767968811"
    error_message = "Another result."
  }
}

variable "v60" {
  default = 0

  validation {
    condition     = var.v60 == var.v60 && jsonencode(pow(19.564, 0.7)) == "8.017156435749373"
    error_message = "Another result."
  }
}

variable "v61" {
  default = 0

  validation {
    condition     = var.v61 == var.v61 && jsonencode(pow(76, 0.1)) == "1.5419892968416637"
    error_message = "Another result."
  }
}

variable "v62" {
  default = 0

  validation {
    condition     = var.v62 == var.v62 && jsonencode(pow(111, 1.5)) == "1169.4575665666537"
    error_message = "Another result."
  }
}

variable "v63" {
  default = 0

  validation {
    condition     = var.v63 == var.v63 && jsonencode(log(1/8, 3)) == "-1.8927892607143724"
    error_message = "Another result."
  }
}

variable "v64" {
  default = 0

  validation {
    condition     = var.v64 == var.v64 && jsonencode(pow(49, 1.5)) == "343"
    error_message = "Another result."
  }
}

variable "v65" {
  default = 0

  validation {
    condition     = var.v65 == var.v65 && jsonencode(pow(4.581810859943259e-250, 9.894979294274032e+157)) == "0"
    error_message = "Another result."
  }
}

variable "v66" {
  default = 0

  validation {
    condition     = var.v66 == var.v66 && jsonencode(pow(143919.33243071786, -1.9)) == "0.0000000001583338025228854"
    error_message = "Another result."
  }
}

variable "v67" {
  default = 0

  validation {
    condition     = var.v67 == var.v67 && jsonencode(pow(1.666995325314448, 6.93823928332943e-279)) == "1"
    error_message = "Another result."
  }
}

variable "v68" {
  default = 0

  validation {
    condition     = var.v68 == var.v68 && jsonencode(log(1.2980845871509052, 3)) == "0.2374721147270492"
    error_message = "Another result."
  }
}

variable "v69" {
  default = 0

  validation {
    condition     = var.v69 == var.v69 && jsonencode(pow(1/19, 128)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000020870799119752515"
    error_message = "Another result."
  }
}

variable "v70" {
  default = 0

  validation {
    condition     = var.v70 == var.v70 && jsonencode(log(185, 2)) == "7.531381460516312"
    error_message = "Another result."
  }
}

variable "v71" {
  default = 0

  validation {
    condition     = var.v71 == var.v71 && jsonencode(log(1/13, 3)) == "-2.334717519472793"
    error_message = "Another result."
  }
}

variable "v72" {
  default = 0

  validation {
    condition     = var.v72 == var.v72 && jsonencode(pow(2.8292689710363878e-282, 925305.0074384724)) == "0"
    error_message = "Another result."
  }
}

variable "v73" {
  default = 0

  validation {
    condition     = var.v73 == var.v73 && jsonencode(pow(25, 1.5)) == "125"
    error_message = "Another result."
  }
}

variable "v74" {
  default = 0

  validation {
    condition     = var.v74 == var.v74 && jsonencode(log(5.397777514494916e+156, 2.718281828459045)) == "360.8892618045328"
    error_message = "Another result."
  }
}

variable "v75" {
  default = 0

  validation {
    condition     = var.v75 == var.v75 && jsonencode(pow(67108864, -9.0105)) == "0.000000000000000000000000000000000000000000000000000000000000000000000029977804692251798"
    error_message = "Another result."
  }
}

variable "v76" {
  default = 0

  validation {
    condition     = var.v76 == var.v76 && jsonencode(pow(3.994566739892776e+286, 0.34655484439563233)) == "2104397266826561600000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v77" {
  default = 0

  validation {
    condition     = var.v77 == var.v77 && jsonencode(pow(1/3, 131033.49199909886)) == "0"
    error_message = "Another result."
  }
}

variable "v78" {
  default = 0

  validation {
    condition     = var.v78 == var.v78 && jsonencode(pow(155, 2/3)) == "28.855003552528782"
    error_message = "Another result."
  }
}

variable "v79" {
  default = 0

  validation {
    condition     = var.v79 == var.v79 && jsonencode(pow(1/21, 368525.72959916864)) == "0"
    error_message = "Another result."
  }
}

variable "v80" {
  default = 0

  validation {
    condition     = var.v80 == var.v80 && jsonencode(pow(29.689, 44)) == "62259419556968080000000000000000000000000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v81" {
  default = 0

  validation {
    condition     = var.v81 == var.v81 && jsonencode(pow(44.716, 0.7)) == "14.299605730408414"
    error_message = "Another result."
  }
}

variable "v82" {
  default = 0

  validation {
    condition     = var.v82 == var.v82 && jsonencode(pow(28, 0.8366)) == "16.24397861297727"
    error_message = "Another result."
  }
}

variable "v83" {
  default = 0

  validation {
    condition     = var.v83 == var.v83 && jsonencode(log(1.9024197946182295, 3)) == "0.5853991063187552"
    error_message = "Another result."
  }
}

variable "v84" {
  default = 0

  validation {
    condition     = var.v84 == var.v84 && jsonencode(pow(110, 2/3)) == "22.957704246655545"
    error_message = "Another result."
  }
}

variable "v85" {
  default = 0

  validation {
    condition     = var.v85 == var.v85 && jsonencode(pow(48, 1.5)) == "332.5537550532244"
    error_message = "Another result."
  }
}

variable "v86" {
  default = 0

  validation {
    condition     = var.v86 == var.v86 && jsonencode(pow(37.687, 22)) == "47447626086716010000000000000000000"
    error_message = "Another result."
  }
}

variable "v87" {
  default = 0

  validation {
    condition     = var.v87 == var.v87 && jsonencode(log(5.089292174862696e-253, 178)) == "-112.10944728398944"
    error_message = "Another result."
  }
}

variable "v88" {
  default = 0

  validation {
    condition     = var.v88 == var.v88 && jsonencode(pow(755916.4943536747, -5.365)) == "0.000000000000000000000000000000028972631688017143"
    error_message = "Another result."
  }
}

variable "v89" {
  default = 0

  validation {
    condition     = var.v89 == var.v89 && jsonencode(pow(36, 1.7735303416323218)) == "575.638331719403"
    error_message = "Another result."
  }
}

variable "v90" {
  default = 0

  validation {
    condition     = var.v90 == var.v90 && jsonencode(pow(5.021, 2.777233842765633e-193)) == "1"
    error_message = "Another result."
  }
}

variable "v91" {
  default = 0

  validation {
    condition     = var.v91 == var.v91 && jsonencode(log(433323.9857001146, 3)) == "11.814214255517706"
    error_message = "Another result."
  }
}

variable "v92" {
  default = 0

  validation {
    condition     = var.v92 == var.v92 && jsonencode(log(1/1, 2.718281828459045)) == "0"
    error_message = "Another result."
  }
}

variable "v93" {
  default = 0

  validation {
    condition     = var.v93 == var.v93 && jsonencode(log(1/18, 10)) == "-1.255272505103306"
    error_message = "Another result."
  }
}

variable "v94" {
  default = 0

  validation {
    condition     = var.v94 == var.v94 && jsonencode(log(1/18, 10)) == "-1.255272505103306"
    error_message = "Another result."
  }
}

variable "v95" {
  default = 0

  validation {
    condition     = var.v95 == var.v95 && jsonencode(pow(421854.7786576555, 4.198362716011097e-26)) == "1"
    error_message = "Another result."
  }
}

variable "v96" {
  default = 0

  validation {
    condition     = var.v96 == var.v96 && jsonencode(pow(44.201, 1/3)) == "3.5357159279171855"
    error_message = "Another result."
  }
}

variable "v97" {
  default = 0

  validation {
    condition     = var.v97 == var.v97 && jsonencode(pow(0.103, 1.5)) == "0.03305642146391529"
    error_message = "Another result."
  }
}

variable "v98" {
  default = 0

  validation {
    condition     = var.v98 == var.v98 && jsonencode(pow(7.897901614344164e+221, -4.369)) == "0"
    error_message = "Another result."
  }
}

variable "v99" {
  default = 0

  validation {
    condition     = var.v99 == var.v99 && jsonencode(log(51, 3)) == "3.5789019231625665"
    error_message = "Another result."
  }
}

variable "v100" {
  default = 0

  validation {
    condition     = var.v100 == var.v100 && jsonencode(log(3.573632527555231e-78, 2)) == "-257.27300010984834"
    error_message = "Another result."
  }
}

variable "v101" {
  default = 0

  validation {
    condition     = var.v101 == var.v101 && jsonencode(log(147573952589676412928, 10)) == "20.169009709486737"
    error_message = "Another result."
  }
}

variable "v102" {
  default = 0

  validation {
    condition     = var.v102 == var.v102 && jsonencode(log(5e-324,10)) == "-307.95368556425274"
    error_message = "Another result."
  }
}

variable "v103" {
  default = 0

  validation {
    condition     = var.v103 == var.v103 && jsonencode(log(5e-320,10)) == "-307.95368556425177"
    error_message = "Another result."
  }
}

variable "v104" {
  default = 0

  validation {
    condition     = var.v104 == var.v104 && jsonencode(log(2.2250738585072014e-308,10)) == "-307.6526555685887"
    error_message = "Another result."
  }
}

variable "v105" {
  default = 0

  validation {
    condition     = var.v105 == var.v105 && jsonencode(log(2.2250738585072009e-308,2)) == "-1022"
    error_message = "Another result."
  }
}

variable "v106" {
  default = 0

  validation {
    condition     = var.v106 == var.v106 && jsonencode(pow(5e-324,0.3)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004110496954075371"
    error_message = "Another result."
  }
}

variable "v107" {
  default = 0

  validation {
    condition     = var.v107 == var.v107 && jsonencode(pow(5e-320,0.7)) == "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001216384391418432"
    error_message = "Another result."
  }
}

variable "v108" {
  default = 0

  validation {
    condition     = var.v108 == var.v108 && jsonencode(pow(0.5,1074)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004940656458412465"
    error_message = "Another result."
  }
}

variable "v109" {
  default = 0

  validation {
    condition     = var.v109 == var.v109 && jsonencode(pow(0.5,1075)) == "0"
    error_message = "Another result."
  }
}

variable "v110" {
  default = 0

  validation {
    condition     = var.v110 == var.v110 && jsonencode(pow(0.5,1076)) == "0"
    error_message = "Another result."
  }
}

variable "v111" {
  default = 0

  validation {
    condition     = var.v111 == var.v111 && jsonencode(pow(0.75,2590)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004940656458412465"
    error_message = "Another result."
  }
}

variable "v112" {
  default = 0

  validation {
    condition     = var.v112 == var.v112 && jsonencode(pow(2,-1074)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004940656458412465"
    error_message = "Another result."
  }
}

variable "v113" {
  default = 0

  validation {
    condition     = var.v113 == var.v113 && jsonencode(pow(3,-678.5)) == "0"
    error_message = "Another result."
  }
}

variable "v114" {
  default = 0

  validation {
    condition     = var.v114 == var.v114 && jsonencode(pow(1.0000001,1e9)) == "26881038432119620000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v115" {
  default = 0

  validation {
    condition     = var.v115 == var.v115 && jsonencode(pow(-2,3)) == "-8"
    error_message = "Another result."
  }
}

variable "v116" {
  default = 0

  validation {
    condition     = var.v116 == var.v116 && jsonencode(pow(-2,-3)) == "-0.125"
    error_message = "Another result."
  }
}

variable "v117" {
  default = 0

  validation {
    condition     = var.v117 == var.v117 && jsonencode(pow(-0.0,3)) == "-0"
    error_message = "Another result."
  }
}

variable "v118" {
  default = 0

  validation {
    condition     = var.v118 == var.v118 && jsonencode(pow(0.99999999999,1e15)) == "0"
    error_message = "Another result."
  }
}

variable "v119" {
  default = 0

  validation {
    condition     = var.v119 == var.v119 && jsonencode(log(1,2)) == "0"
    error_message = "Another result."
  }
}

variable "v120" {
  default = 0

  validation {
    condition     = var.v120 == var.v120 && jsonencode(log(0.7071067811865476,2)) == "-0.49999999999999994"
    error_message = "Another result."
  }
}

variable "v121" {
  default = 0

  validation {
    condition     = var.v121 == var.v121 && jsonencode(log(0.7071067811865475,2)) == "-0.5000000000000001"
    error_message = "Another result."
  }
}

variable "v122" {
  default = 0

  validation {
    condition     = var.v122 == var.v122 && jsonencode(log(1.4142135623730951,2)) == "0.5000000000000001"
    error_message = "Another result."
  }
}

variable "v123" {
  default = 0

  validation {
    condition     = var.v123 == var.v123 && jsonencode(pow(10,308)) == "100000000000000060000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v124" {
  default = 0

  validation {
    condition     = var.v124 == var.v124 && jsonencode(pow(10,-308)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009999999999999994"
    error_message = "Another result."
  }
}

variable "v125" {
  default = 0

  validation {
    condition     = var.v125 == var.v125 && jsonencode(pow(10,-320)) == "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000999988867182683"
    error_message = "Another result."
  }
}

variable "v126" {
  default = 0

  validation {
    condition     = var.v126 == var.v126 && jsonencode(pow(10,-323)) == "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000988131291682493"
    error_message = "Another result."
  }
}

variable "v127" {
  default = 0

  validation {
    condition     = var.v127 == var.v127 && jsonencode(pow(1e-160,2.01)) == "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000025197347937903574"
    error_message = "Another result."
  }
}

variable "v128" {
  default = 0

  validation {
    condition     = var.v128 == var.v128 && jsonencode(pow(1e-100,3.21)) == "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000998012604599318"
    error_message = "Another result."
  }
}

variable "v129" {
  default = 0

  validation {
    condition     = var.v129 == var.v129 && jsonencode(log(10,1/0)) == "0"
    error_message = "Another result."
  }
}

variable "v130" {
  default = 0

  validation {
    condition     = var.v130 == var.v130 && jsonencode(pow(1/0,-1)) == "0"
    error_message = "Another result."
  }
}

variable "v131" {
  default = 0

  validation {
    condition     = var.v131 == var.v131 && jsonencode(pow(-1/0,-3)) == "-0"
    error_message = "Another result."
  }
}

variable "v132" {
  default = 0

  validation {
    condition     = var.v132 == var.v132 && jsonencode(pow(0,1/0)) == "0"
    error_message = "Another result."
  }
}

variable "v133" {
  default = 0

  validation {
    condition     = var.v133 == var.v133 && jsonencode(pow(0.5,1/0)) == "0"
    error_message = "Another result."
  }
}

variable "v134" {
  default = 0

  validation {
    condition     = var.v134 == var.v134 && jsonencode(pow(2,-1/0)) == "0"
    error_message = "Another result."
  }
}

variable "v135" {
  default = 0

  validation {
    condition     = var.v135 == var.v135 && jsonencode(pow(-1,1/0)) == "1"
    error_message = "Another result."
  }
}

variable "v136" {
  default = 0

  validation {
    condition     = var.v136 == var.v136 && jsonencode(pow(-1,9007199254740993)) == "1"
    error_message = "Another result."
  }
}

variable "v137" {
  default = 0

  validation {
    condition     = var.v137 == var.v137 && jsonencode(pow(-1,9007199254740992)) == "1"
    error_message = "Another result."
  }
}

variable "v138" {
  default = 0

  validation {
    condition     = var.v138 == var.v138 && jsonencode(pow(3,0.5)) == "1.7320508075688772"
    error_message = "Another result."
  }
}

variable "v139" {
  default = 0

  validation {
    condition     = var.v139 == var.v139 && jsonencode(pow(3,-0.5)) == "0.5773502691896258"
    error_message = "Another result."
  }
}

variable "v140" {
  default = 0

  validation {
    condition     = var.v140 == var.v140 && jsonencode(pow(7,127)) == "212545092456801680000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    error_message = "Another result."
  }
}

variable "v141" {
  default = 0

  validation {
    condition     = var.v141 == var.v141 && jsonencode(pow(1.1,128)) == "198730.12250342217"
    error_message = "Another result."
  }
}

variable "v142" {
  default = 0

  validation {
    condition     = var.v142 == var.v142 && jsonencode(pow(1.1,-127)) == "0.000005535144778975607"
    error_message = "Another result."
  }
}
